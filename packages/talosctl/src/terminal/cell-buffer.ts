import { styles, type Style } from "./style.ts";
import { cellsOf, printable } from "./text-width.ts";

/** One place of a terminal. */
export interface Cell {
  /** A character with its combining marks; empty for the second half of a wide one. */
  readonly text: string;
  readonly style: Style;
}

/** Part of a terminal, in cells. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A picture of the terminal's size, drawn anew for each frame. */
export interface CellBuffer {
  readonly width: number;
  readonly height: number;
  /** The cell at a place; a blank one outside. */
  at(x: number, y: number): Cell;
  /**
   * Draws text from a place to the right, at most `limit` cells and never past the edge. A wide character that does not fit is left out.
   *
   * @returns the cells taken
   */
  put(x: number, y: number, text: string, style?: Style, limit?: number): number;
}

export const blank: Cell = { text: " ", style: styles.plain };

export function createCellBuffer(width: number, height: number): CellBuffer {
  const cells: Cell[] = Array.from({ length: width * height }, () => blank);
  const inside = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < width && y < height;
  const set = (x: number, y: number, text: string, style: Style): void => {
    cells[y * width + x] = { text, style };
  };
  return {
    width,
    height,
    at: (x, y) => (inside(x, y) ? (cells[y * width + x] ?? blank) : blank),
    put(x, y, text, style = styles.plain, limit = Number.POSITIVE_INFINITY) {
      const end = Math.min(width, x + limit);
      let column = x;
      for (const character of printable(text)) {
        const taken = cellsOf(character);
        if (taken === 0) {
          const before = column - 1;
          if (column > x && inside(before, y)) {
            set(before, y, (cells[y * width + before]?.text ?? "") + character, style);
          }
          continue;
        }
        if (column + taken > end) break;
        if (inside(column, y)) {
          set(column, y, character, style);
          if (taken === 2) set(column + 1, y, "", style);
        }
        column += taken;
      }
      return column - x;
    },
  };
}
