import { blank, type CellBuffer } from "./cell-buffer.ts";
import { styles, type Style } from "./style.ts";

const home = "\u001b[H";
const clear = "\u001b[2J";

const moveTo = (x: number, y: number): string => `\u001b[${String(y + 1)};${String(x + 1)}H`;
const select = ({ sgr }: Style): string => (sgr === "" ? "\u001b[0m" : `\u001b[0;${sgr}m`);

/**
 * Returns the escape sequences that turn the picture on the terminal into the next one: only cells that differ are written, neighbours in
 * one go. Without a picture before, or with one of another size, everything is drawn on a cleared terminal.
 *
 * The cursor and the style are left as plain text expects them, so that every call stands alone.
 */
export function renderChanges(before: CellBuffer | undefined, after: CellBuffer): string {
  const known = before?.width === after.width && before.height === after.height ? before : undefined;
  let out = known === undefined ? home + select(styles.plain) + clear : "";
  let style: Style = styles.plain;
  for (let y = 0; y < after.height; y++) {
    let cursor = -1;
    for (let x = 0; x < after.width; x++) {
      const cell = after.at(x, y);
      const old = known?.at(x, y) ?? blank;
      if (cell.text === "" || (cell.text === old.text && cell.style === old.style)) continue;
      if (cursor !== x) out += moveTo(x, y);
      if (cell.style !== style) out += select(cell.style);
      style = cell.style;
      out += cell.text;
      // After a wide character the cursor stands two cells on.
      cursor = x + (after.at(x + 1, y).text === "" ? 2 : 1);
    }
  }
  return style === styles.plain ? out : out + select(styles.plain);
}
