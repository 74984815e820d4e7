import { jsonPathError } from "./error.ts";
import { operators, type Operator, type Path, type Slice, type Step } from "./syntax.ts";

type Rule = readonly [pattern: RegExp, make: (match: RegExpExecArray) => readonly Step[]];

const quoted = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const name = String.raw`(?:[^\s.,[\]$@{}\\]|\\.)+`;

/** Tried in this order at every position; the first that matches wins. */
const rules: readonly Rule[] = [
  [/[ \t]+/y, () => []],
  [/[@$]/y, () => []],
  [/\[\?\(((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^)"'])*)\)\]/y, ([, text]) => [filter(text ?? "")]],
  [new RegExp(String.raw`\.\.(${name})?`, "y"), ([, text]) => [{ do: "recursive" }, ...(text ? [member(text)] : [])]],
  [new RegExp(String.raw`\.(${name})`, "y"), ([, text]) => [member(text ?? "")]],
  [/\[([^\]]*)\]/y, ([, text]) => subscript(text ?? "")],
  [new RegExp(quoted, "y"), ([text]) => [{ do: "literal", value: unquote(text) }]],
  [/[+-]?\d[\d.]*/y, ([text]) => [{ do: "literal", value: number(text) }]],
  [/(true|false)(?!\w)/y, ([text]) => [{ do: "literal", value: text === "true" }]],
];

/** Reads what stands between braces. @throws {OsError} with what is wrong */
export function parsePath(text: string): Path {
  const steps: Step[] = [];
  for (let at = 0; at < text.length;) {
    const found = firstMatch(text, at);
    steps.push(...found.steps);
    at = found.end;
  }
  if (steps.some((step, index) => step.do === "recursive" && steps[index + 1]?.do === "recursive")) {
    throw jsonPathError("invalid multiple recursive descent");
  }
  return steps;
}

function firstMatch(text: string, at: number): { readonly steps: readonly Step[]; readonly end: number } {
  for (const [pattern, make] of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { steps: make(match), end: at + match[0].length };
  }
  const [word] = /^\w+/.exec(text.slice(at)) ?? [];
  if (word !== undefined) throw jsonPathError(`unrecognized identifier ${word}`);
  if (text.startsWith("[?(", at)) throw jsonPathError("unterminated filter");
  if (text.startsWith("[", at)) throw jsonPathError("unterminated array");
  if (text[at] === '"' || text[at] === "'") throw jsonPathError("unterminated quoted string");
  throw jsonPathError(`unrecognized character in action: ${JSON.stringify(text[at])}`);
}

function member(text: string): Step {
  return text === "*" ? { do: "wildcard" } : { do: "field", name: text.replaceAll("\\", "") };
}

function subscript(text: string): readonly Step[] {
  const parts = text.split(",");
  if (parts.length > 1) return [{ do: "union", paths: parts.map((part) => subscript(part.trim())) }];
  const [key] = /^['"](.*)['"]$/s.exec(text)?.slice(1) ?? [];
  if (key !== undefined) return parsePath(`.${key}`);
  return [{ do: "slice", slice: slice(text) }];
}

function slice(text: string): Slice {
  const [match, from, to, step] = /^(-?\d*)(:-?\d*)?(:\d*)?$/.exec(text === "*" ? ":" : text) ?? [];
  if (match === undefined || match === "") throw jsonPathError(`invalid array index ${text}`);
  const value = (part: string | undefined) => {
    const digits = part?.replace(":", "") ?? "";
    return digits === "" ? undefined : Number(digits);
  };
  return { single: to === undefined, from: value(from), to: value(to), step: value(step) };
}

function filter(text: string): Step {
  const [, left = "", sign = "", right = ""] = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(text) ?? [];
  if (sign === "") return { do: "filter", left: parsePath(text), test: undefined };
  if (!isOperator(sign)) throw jsonPathError(`unrecognized filter operator ${sign}`);
  return { do: "filter", left: parsePath(left), test: { operator: sign, right: parsePath(right) } };
}

function isOperator(sign: string): sign is Operator {
  return operators.some((operator) => operator === sign);
}

function number(text: string): number {
  const value = Number(text);
  if (Number.isNaN(value)) throw jsonPathError(`cannot parse number ${text}`);
  return value;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };

function unquote(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/gs, (_, escaped: string) => {
    if (escaped.length > 1) return String.fromCodePoint(Number.parseInt(escaped.slice(1), 16));
    return escapes[escaped] ?? escaped;
  });
}
