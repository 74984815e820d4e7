import { setFlagsFromString } from "node:v8";
import { OsError } from "@talos-ts/base";

let switchedOn = false;

/**
 * Expressions come from whoever may list resources, and a backtracking engine can be kept busy for hours by twenty
 * characters. V8's linear engine is compiled in but has to be switched on before the `l` flag is understood.
 */
function switchOn(): void {
  if (!switchedOn) setFlagsFromString("--enable-experimental-regexp-engine");
  switchedOn = true;
}

const classes: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** Spellings of RE2 that JavaScript has another spelling for. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/^\(\?P</, "(?<"],
  [/^\\A/, "^"],
  [/^\\z/, "$"],
];

/**
 * Compiles an expression in the syntax of RE2, as far as people use it on ids, to one that runs in linear time.
 *
 * @throws {OsError} `cosi/bad-expression`
 */
export function compileLinear(source: string): RegExp {
  if (source.length > maxLength) {
    throw badExpression(`expression of ${String(source.length)} characters, at most ${String(maxLength)} are allowed`);
  }
  switchOn();
  const [prefix = "", flags = ""] = /^\(\?([ims]+)\)/.exec(source) ?? [];
  try {
    const body = translate(source.slice(prefix.length), flags.includes("i"));
    return new RegExp(body, `l${flags.replace("i", "")}`);
  } catch (err) {
    throw badExpression(err instanceof Error ? err.message : String(err), err);
  }
}

/** Longest expression, in characters: ids have at most a few hundred, and compiling costs more than it takes to send. */
const maxLength = 1024;

function badExpression(reason: string, cause?: unknown): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "cosi/bad-expression",
    message: `failed to compile regexp: ${reason}`,
    ...(cause !== undefined && { cause }),
  });
}

/** The expression of a query in the syntax of RE2. */
export function expressionSource({ source, flags }: RegExp): string {
  const kept = flags.replace(/[^ims]/g, "");
  return kept === "" ? source : `(?${kept})${source}`;
}

function translate(source: string, ignoreCase: boolean): string {
  let out = "";
  let inClass = false;
  for (let rest = source; rest !== "";) {
    const [token, replacement] = inClass ? classToken(rest) : plainToken(rest);
    rest = rest.slice(token.length);
    if (token === "[" && !inClass) inClass = true;
    else if (token === "]" && inClass) inClass = false;
    out += ignoreCase && /^[A-Za-z](?:-[A-Za-z])?$/.test(replacement) ? bothCases(replacement, inClass) : replacement;
  }
  return out;
}

function plainToken(rest: string): readonly [string, string] {
  for (const [pattern, replacement] of spellings) {
    const match = pattern.exec(rest)?.[0];
    if (match !== undefined) return [match, replacement];
  }
  const token = /^(?:\\.|\(\?<\w+>|.)/su.exec(rest)?.[0] ?? rest;
  return [token, token];
}

function classToken(rest: string): readonly [string, string] {
  const named = /^\[:(\w+):\]/.exec(rest);
  const members = named?.[1] === undefined ? undefined : classes[named[1]];
  if (named !== null && members !== undefined) return [named[0], members];
  // A range is one token, so that ignoring case cannot tear it apart.
  const range = /^([A-Za-z])-([A-Za-z])/.exec(rest);
  if (range !== null) return [range[0], range[0]];
  const token = /^(?:\\.|.)/su.exec(rest)?.[0] ?? rest;
  return [token, token];
}

function bothCases(letters: string, inClass: boolean): string {
  const both = `${letters.toLowerCase()}${letters.toUpperCase()}`;
  return inClass ? both : `[${both}]`;
}
