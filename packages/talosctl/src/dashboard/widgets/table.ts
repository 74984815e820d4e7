import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { strong, styles, type Style } from "../../terminal/style.ts";

export interface TableRow {
  readonly cells: readonly string[];
  /** @default plain */
  readonly style?: Style;
  /** Styles of single cells, by column. @default those of the row */
  readonly cellStyles?: Readonly<Record<number, Style>>;
}

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
  /** First row to show; as many as can be scrolled to. @default {0} */
  readonly offset?: number;
}

const gap = 2;

/** Draws a table with its headings; columns are as wide as their widest cell, the last one takes what is left. */
export function paintTable(buffer: CellBuffer, area: Area, { headings, rows, offset = 0 }: Table): void {
  if (area.height < 1) return;
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map(({ cells }) => (cells[column] ?? "").length)),
  );
  const paintRow = (y: number, cells: readonly string[], styleOf: (column: number) => Style): void => {
    let x = area.x;
    for (const [column, width] of widths.entries()) {
      const left = area.x + area.width - x;
      if (left <= 0) return;
      const last = column === widths.length - 1;
      buffer.put(x, y, (cells[column] ?? "").padEnd(last ? left : width + gap), styleOf(column), left);
      x += width + gap;
    }
  };
  paintRow(area.y, headings, () => strong());
  const shown = area.height - 1;
  const first = Math.max(0, Math.min(offset, rows.length - shown));
  for (const [index, row] of rows.slice(first, first + shown).entries()) {
    const style = row.style ?? styles.plain;
    paintRow(area.y + 1 + index, row.cells, (column) => row.cellStyles?.[column] ?? style);
  }
}
