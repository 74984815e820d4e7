import { jsonPathError } from "./error.ts";
import { parsePath } from "./parse-path.ts";
import type { Part, Path } from "./syntax.ts";

/** Content of a pair of braces: a path, the start of a loop, or its end. */
type Action =
  | { readonly is: "path"; readonly path: Path }
  | { readonly is: "range"; readonly path: Path }
  | { readonly is: "end" };

/** Reads a template: text as it is, paths in braces. @throws {OsError} with what is wrong */
export function parseTemplate(template: string): readonly Part[] {
  const stack: { path: Path; body: Part[] }[] = [{ path: [], body: [] }];
  const add = (part: Part) => stack.at(-1)?.body.push(part);
  const close = () => {
    const { path, body } = stack.pop() ?? { path: [], body: [] };
    add({ is: "range", path, body });
  };
  let rest = template;
  while (rest !== "") {
    const open = rest.indexOf("{");
    if (open !== 0) add({ is: "text", text: open < 0 ? rest : rest.slice(0, open) });
    if (open < 0) break;
    const end = closingBrace(rest, open + 1);
    const action = parseAction(rest.slice(open + 1, end));
    rest = rest.slice(end + 1);
    if (action.is === "range") stack.push({ path: action.path, body: [] });
    else if (action.is === "path") add(action);
    else if (stack.length === 1) throw jsonPathError("not in range, nothing to end");
    else close();
  }
  while (stack.length > 1) close();
  return stack[0]?.body ?? [];
}

function closingBrace(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\\") at++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "}") return at;
  }
  throw jsonPathError("unclosed action");
}

function parseAction(text: string): Action {
  const trimmed = text.trim();
  if (trimmed === "end") return { is: "end" };
  const [, path] = /^range(?![\w])(.*)$/s.exec(trimmed) ?? [];
  return path === undefined ? { is: "path", path: parsePath(text) } : { is: "range", path: parsePath(path) };
}
