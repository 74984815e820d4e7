import type { CellBuffer } from "./cell-buffer.ts";
import type { Terminal } from "./terminal.ts";

/** The characters of a buffer without styles, one line each and without trailing spaces: what a person reads. */
export function textOf(buffer: CellBuffer): string {
  const lines = Array.from({ length: buffer.height }, (_, y) =>
    Array.from({ length: buffer.width }, (_none, x) => buffer.at(x, y).text)
      .join("")
      .trimEnd(),
  );
  return lines.join("\n");
}

/** A terminal that shows what is drawn on it; `onFrame` gets its text after each write, and may type. */
export function drawnTerminal(onFrame: (text: string, type: (keys: string) => void) => void): Terminal {
  const [columns, rows] = [120, 40];
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => " "));
  let typed: (bytes: Uint8Array) => void = () => undefined;
  return {
    columns,
    rows,
    write(text) {
      // Sequences end with a letter, before the text that they are for; only those that move the cursor matter here.
      let [y, x] = [1, 1];
      for (const part of String(text).split("\u001b[")) {
        const [, parameters = "", final, drawn = ""] = /^([\d;?]*)([a-zA-Z])(.*)$/.exec(part) ?? [];
        if (final === "H") [y = 1, x = 1] = parameters.split(";").map(Number);
        const characters = Array.from(drawn);
        cells[y - 1]?.splice(x - 1, characters.length, ...characters);
        x += characters.length;
      }
      onFrame(cells.map((line) => line.join("")).join("\n"), (keys) => setImmediate(() => typed(Buffer.from(keys))));
    },
    onResize: () => ({ [Symbol.dispose]: () => undefined }),
    takeOver(listener) {
      typed = listener;
      return { [Symbol.dispose]: () => undefined };
    },
  };
}
