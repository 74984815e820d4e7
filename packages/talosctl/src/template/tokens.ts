import { templateError } from "./template-error.ts";

/** A word of an action: what it is, and its text; of strings the text is what they mean. */
export interface Token {
  readonly kind: "string" | "number" | "variable" | "field" | "name" | "mark";
  readonly text: string;
  /** Follows the token before it without a blank, as `.B` does in `$v.B`. */
  readonly joined: boolean;
}

const forms: readonly (readonly [kind: Token["kind"], form: RegExp])[] = [
  ["string", /"(?:[^"\\\n]|\\.)*"|`[^`]*`/y],
  ["number", /[+-]?\d+(?:\.\d+)?/y],
  ["variable", /\$\w*/y],
  ["field", /\.(?:[A-Za-z_]\w*)?/y],
  ["name", /[A-Za-z_]\w*/y],
  ["mark", /:=|[|(),=]/y],
];

/** Splits what stands between `{{` and `}}`. @throws {OsError} `template/bad` */
export function readTokens(action: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < action.length) {
    const blank = /\s*/y;
    blank.lastIndex = at;
    const skipped = blank.exec(action)?.[0].length ?? 0;
    at += skipped;
    if (at >= action.length) break;
    const found = forms
      .map(([kind, form]) => {
        form.lastIndex = at;
        return { kind, text: form.exec(action)?.[0] };
      })
      .find(({ text }) => text !== undefined);
    if (found?.text === undefined) throw templateError(`unexpected ${JSON.stringify(action[at])} in ${action.trim()}`);
    const { kind, text } = found;
    tokens.push({ kind, text: kind === "string" ? unquote(text) : text, joined: skipped === 0 });
    at += text.length;
  }
  return tokens;
}

function unquote(text: string): string {
  if (text.startsWith("`")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    throw templateError(`cannot read the string ${text}`);
  }
}
