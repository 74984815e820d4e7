import { parsePipeline, splitAssignment } from "./parse-pipeline.ts";
import type { Node, Nodes } from "./syntax.ts";
import { templateError } from "./template-error.ts";
import { readTokens, type Token } from "./tokens.ts";

type Piece = { readonly text: string } | { readonly tokens: readonly Token[] };

/** Parses a template in the syntax of Go: text, `{{ }}`, if, with, range, variables and pipelines. @throws {OsError} `template/bad` */
export function parseTemplate(template: string): Nodes {
  const pieces = split(template);
  const { nodes, end } = parseNodes(pieces, 0);
  if (end < pieces.length) throw templateError(`unexpected {{${wordOf(pieces[end])}}} in ${template}`);
  return nodes;
}

/** Splits text and actions; `{{-` and `-}}` take blanks away beside them, comments go. */
function split(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let rest = template;
  for (;;) {
    const start = rest.indexOf("{{");
    if (start < 0) return [...pieces, { text: rest }];
    const [, left = "", action = "", right = ""] =
      /^\{\{(- )?((?:"(?:[^"\\]|\\.)*"|`[^`]*`|\/\*[^]*?\*\/|(?! -\}\}|\}\})[^])*)( -)?\}\}/.exec(rest.slice(start)) ??
      [];
    const length = 4 + left.length + action.length + right.length;
    if (action === "") throw templateError(`an action is empty or has no end: ${rest.slice(start)}`);
    const before = rest.slice(0, start);
    pieces.push({ text: left === "" ? before : before.trimEnd() });
    if (!action.trim().startsWith("/*")) pieces.push({ tokens: readTokens(action) });
    rest = rest.slice(start + length);
    if (right !== "") rest = rest.trimStart();
  }
}

const wordOf = (piece: Piece | undefined): string =>
  piece !== undefined && "tokens" in piece && piece.tokens[0]?.kind === "name" ? piece.tokens[0].text : "";

/** Parses up to the end of the pieces, or to an `else` or `end`. */
function parseNodes(pieces: readonly Piece[], from: number): { readonly nodes: Nodes; readonly end: number } {
  const nodes: Node[] = [];
  let at = from;
  for (;;) {
    const piece = pieces[at];
    const word = wordOf(piece);
    if (piece === undefined || word === "else" || word === "end") return { nodes, end: at };
    if ("text" in piece) {
      nodes.push({ kind: "text", text: piece.text });
      at += 1;
    } else if (word === "if" || word === "with" || word === "range") {
      const block = parseBlock(pieces, at, word, piece.tokens.slice(1));
      nodes.push(block.node);
      at = block.end;
    } else {
      nodes.push(parseAction(piece.tokens));
      at += 1;
    }
  }
}

const unsupported: ReadonlySet<string> = new Set(["block", "break", "continue", "define", "template"]);

function parseAction(tokens: readonly Token[]): Node {
  const [first] = tokens;
  if (first?.kind === "name" && unsupported.has(first.text)) throw templateError(`{{${first.text}}} is not supported`);
  const { names, rest } = splitAssignment(tokens);
  const pipeline = parsePipeline(rest);
  const [name] = names;
  return name === undefined ? { kind: "print", pipeline } : { kind: "assign", name, pipeline };
}

/** Parses a block from the words behind its keyword on; `else if` is a block of its own in the other branch. */
function parseBlock(
  pieces: readonly Piece[],
  at: number,
  kind: "if" | "with" | "range",
  tokens: readonly Token[],
): { readonly node: Node; readonly end: number } {
  const { names, rest } = splitAssignment(tokens);
  if (kind !== "range" && names.length > 0) throw templateError(`a variable in {{${kind}}} is not supported`);
  const pipeline = parsePipeline(rest);
  const body = parseNodes(pieces, at + 1);
  const make = (otherwise: Nodes, end: number): { readonly node: Node; readonly end: number } => {
    const common = { pipeline, body: body.nodes, otherwise };
    return { node: kind === "range" ? { kind, names, ...common } : { kind, ...common }, end };
  };
  const piece = pieces[body.end];
  if (piece === undefined || !("tokens" in piece)) throw templateError(`{{${kind}}} has no {{end}}`);
  const [, second, ...more] = piece.tokens;
  if (wordOf(piece) === "end") return make([], body.end + 1);
  if (second?.text === "if" || second?.text === "with") {
    const inner = parseBlock(pieces, body.end, second.text, more);
    return make([inner.node], inner.end);
  }
  const otherwise = parseNodes(pieces, body.end + 1);
  if (wordOf(pieces[otherwise.end]) !== "end") throw templateError(`{{${kind}}} has no {{end}}`);
  return make(otherwise.nodes, otherwise.end + 1);
}
