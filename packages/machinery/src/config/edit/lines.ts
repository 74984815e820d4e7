/** Lines of a text around an offset, and the comments that belong to what stands there. */

/** The line break a text uses. */
export function lineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Returns where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Returns where the line behind the one of an offset begins; the end of the text when there is none. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

/** Returns where the line of an offset ends, without its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return end > offset && text[end - 1] === "\r" ? end - 1 : end;
}

type Line = { readonly is: "blank" | "comment" | "content"; readonly indent: number };

function lineAt(text: string, start: number): Line {
  const line = text.slice(start, lineEnd(text, start));
  const indent = line.length - line.trimStart().length;
  if (indent === line.length) return { is: "blank", indent: 0 };
  return { is: line[indent] === "#" ? "comment" : "content", indent };
}

/**
 * Returns where the comments begin that stand right above an entry and are not deeper than it; the line of the entry when there
 * are none.
 */
export function headStart(text: string, entry: number, column: number, floor: number): number {
  let start = lineStart(text, entry);
  while (start > floor) {
    const above = lineStart(text, start - 1);
    const line = lineAt(text, above);
    if (above < floor || line.is !== "comment" || line.indent > column) break;
    start = above;
  }
  return start;
}

/**
 * Returns where an entry ends: behind the line its content ends on, the deeper comments that follow, and the comment right
 * below it if that is not the head of something else.
 */
export function entryEnd(text: string, contentEnd: number, column: number): number {
  let end = nextLine(text, contentEnd);
  for (let at = end; at < text.length; at = nextLine(text, at)) {
    const line = lineAt(text, at);
    if (line.is === "content" || (line.is === "comment" && line.indent <= column)) break;
    if (line.is === "comment") end = nextLine(text, at);
  }
  return footEnd(text, end, column);
}

function footEnd(text: string, start: number, column: number): number {
  for (let at = start; at < text.length; at = nextLine(text, at)) {
    const line = lineAt(text, at);
    if (line.is === "comment" && line.indent >= column) continue;
    const isHead = line.is === "content" && line.indent >= column;
    return isHead ? start : at;
  }
  return text.length;
}
