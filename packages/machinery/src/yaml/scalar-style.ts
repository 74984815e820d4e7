/** Chooses how a string is written, as go-yaml does, between plain, quoted and literal, so that bytes agree with it. */

import { isAmbiguous, isString } from "./resolve-scalar.ts";

/** Reports whether a string is written as a literal block. */
export function isLiteral(text: string): boolean {
  return (
    text.includes("\n") && /[^\n\r\t ]/.test(text) && !/ \n/.test(text) && !text.endsWith(" ") && !hasSpecial(text)
  );
}

/** Characters that only a double-quoted string can carry. */
function hasSpecial(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters need double quotes in YAML
  return /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udfff]/.test(text);
}

const indicatorFirst = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:\s|$))/;
const indicatorInside = /:(?:\s|$)|\s#/;

function isPlainAllowed(text: string): boolean {
  return !(
    /^\s|\s$|\t/.test(text) ||
    indicatorFirst.test(text) ||
    indicatorInside.test(text) ||
    text.startsWith("---") ||
    text.startsWith("...")
  );
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\0": "\\0",
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "\\e",
  "\u0085": "\\N",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function doubleQuoted(text: string): string {
  let quoted = "";
  for (const character of text) {
    const escape = escapes[character];
    if (escape !== undefined) quoted += escape;
    else if (hasSpecial(character)) quoted += codePoint(character);
    else quoted += character;
  }
  return `"${quoted}"`;
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Reports whether a string can be written bare and is read back as a string by a current YAML. */
export function isPlain(text: string): boolean {
  return isPlainAllowed(text) && !text.includes("\n") && !hasSpecial(text) && isString(text);
}

/** A string on one line: plain where it can be read back, else in single, else in double quotes. */
export function inlineString(text: string): string {
  if (text.includes("\n") || text.includes("\t") || hasSpecial(text) || isAmbiguous(text)) return doubleQuoted(text);
  return isPlainAllowed(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

/**
 * Header of a literal block: an indentation hint if the first line starts with a space, then what to do at the end.
 *
 * go-yaml always hints at four, which is misread inside lists, and forgets the hint behind an empty first line; there
 * being read back wins over equal bytes.
 */
export function literalHeader(text: string, indentBy: number): string {
  const hint = /^\n* /.test(text) ? String(indentBy) : "";
  if (!text.endsWith("\n")) return `|${hint}-`;
  return text.endsWith("\n\n") ? `|${hint}+` : `|${hint}`;
}
