import type { CellBuffer } from "./cell-buffer.ts";

/** The characters of a buffer without styles, one line each and without trailing spaces: what a person reads. */
export function textOf(buffer: CellBuffer): string {
  const lines = Array.from({ length: buffer.height }, (_, y) =>
    Array.from({ length: buffer.width }, (_none, x) => buffer.at(x, y).text)
      .join("")
      .trimEnd(),
  );
  return lines.join("\n");
}
