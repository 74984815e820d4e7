import type { Command, Operand, Pipeline, Source } from "./syntax.ts";
import { templateError } from "./template-error.ts";
import type { Token } from "./tokens.ts";

const constants: ReadonlyMap<string, boolean | undefined> = new Map([
  ["true", true],
  ["false", false],
  ["nil", undefined],
]);

/** Takes `$a :=` or `$a, $b :=` from the beginning. */
export function splitAssignment(tokens: readonly Token[]): {
  readonly names: readonly string[];
  readonly rest: readonly Token[];
} {
  const at = tokens.findIndex(({ kind, text }) => kind === "mark" && (text === ":=" || text === "="));
  if (at < 0) return { names: [], rest: tokens };
  const names = tokens.slice(0, at).filter(({ text }) => text !== ",");
  if (names.length === 0 || names.length > 2 || names.some(({ kind }) => kind !== "variable"))
    throw templateError(
      `cannot assign to ${tokens
        .slice(0, at)
        .map(({ text }) => text)
        .join(" ")}`,
    );
  return { names: names.map(({ text }) => text), rest: tokens.slice(at + 1) };
}

/** Parses all words as one pipeline. @throws {OsError} `template/bad` */
export function parsePipeline(tokens: readonly Token[]): Pipeline {
  const words = [...tokens];
  const pipeline = readPipeline(words);
  const [left] = words;
  if (left !== undefined) throw templateError(`unexpected ${left.text}`);
  return pipeline;
}

/** Reads until a closing parenthesis or the end; what is read is taken from the words. */
function readPipeline(words: Token[]): Pipeline {
  const commands: Command[] = [readCommand(words)];
  while (isMark(words[0], "|")) {
    words.shift();
    commands.push(readCommand(words));
  }
  return { commands };
}

function readCommand(words: Token[]): Command {
  const [first] = words;
  if (first === undefined) throw templateError("a value is missing");
  if (first.kind === "name" && !constants.has(first.text)) {
    words.shift();
    return { kind: "call", name: first.text, args: readOperands(words) };
  }
  const operand = readOperand(words);
  return { kind: "operand", operand, args: readOperands(words) };
}

function readOperands(words: Token[]): readonly Operand[] {
  const operands: Operand[] = [];
  while (words.length > 0 && !isMark(words[0], "|") && !isMark(words[0], ")")) operands.push(readOperand(words));
  return operands;
}

function readOperand(words: Token[]): Operand {
  const token = words.shift();
  if (token === undefined) throw templateError("a value is missing");
  if (token.kind === "string") return { kind: "constant", value: token.text };
  if (token.kind === "number") return { kind: "constant", value: Number(token.text) };
  if (token.kind === "name" && constants.has(token.text)) return { kind: "constant", value: constants.get(token.text) };
  if (token.kind === "variable") return chain({ kind: "variable", name: token.text }, [], words);
  if (token.kind === "field") return chain({ kind: "dot" }, token.text === "." ? [] : [token.text.slice(1)], words);
  if (!isMark(token, "(")) throw templateError(`unexpected ${token.text}`);
  const pipeline = readPipeline(words);
  if (!isMark(words.shift(), ")")) throw templateError("a parenthesis is not closed");
  return chain({ kind: "pipeline", pipeline }, [], words);
}

/** Adds the fields that follow without a blank. */
function chain(from: Source, names: readonly string[], words: Token[]): Operand {
  const all = [...names];
  while (words[0]?.kind === "field" && words[0].joined && words[0].text !== ".")
    all.push(words.shift()?.text.slice(1) ?? "");
  return { kind: "chain", from, names: all };
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === "mark" && token.text === text;
}
