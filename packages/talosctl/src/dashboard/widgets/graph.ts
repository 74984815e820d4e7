import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, styles, type Color } from "../../terminal/style.ts";

/** Parts of a cell that are filled from below, in eighths. */
const eighths = " ▁▂▃▄▅▆▇█";

export interface Graph {
  /** Oldest first; the newest stands at the right edge. */
  readonly values: readonly number[];
  /** Value of a full column. @default the largest value that is shown */
  readonly max?: number;
  readonly color: Color;
  /** Text in the upper left corner: what is shown, and its present value. */
  readonly label: string;
}

/** Draws values over time as columns, one for each cell; with one row it is a sparkline behind its label. */
export function paintGraph(buffer: CellBuffer, area: Area, { values, max, color, label }: Graph): void {
  const single = area.height === 1;
  const labelWidth = single ? Math.min(area.width, label.length + 1) : 0;
  const height = single ? 1 : area.height - 1;
  const width = area.width - labelWidth;
  buffer.put(area.x, area.y, label, styles.plain, area.width);
  if (height < 1 || width < 1) return;
  const shown = values.slice(-width);
  const full = max ?? Math.max(...shown, 0);
  const bottom = area.y + area.height - 1;
  for (const [index, value] of shown.entries()) {
    const x = area.x + labelWidth + width - shown.length + index;
    const filled = full > 0 ? Math.round(Math.min(1, Math.max(0, value / full)) * height * 8) : 0;
    // A value above nothing is seen, however small.
    const steps = value > 0 ? Math.max(1, filled) : filled;
    for (let row = 0; row < height; row++) {
      const part = Math.min(8, Math.max(0, steps - row * 8));
      if (part > 0) buffer.put(x, bottom - row, eighths[part] ?? "█", colored(color));
    }
  }
}
