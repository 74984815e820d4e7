import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, styles, type Color } from "../../terminal/style.ts";

/** Colours of a share, from the highest limit that it reaches. */
const colors: readonly (readonly [from: number, color: Color])[] = [
  [0.9, "red"],
  [0.75, "yellow"],
  [0, "green"],
];

const colorOfShare = (share: number): Color => colors.find(([from]) => share >= from)?.[1] ?? "green";

/** Draws a share (0 to 1) as a bar of one row: `CPU ██████░░░░  61.0%`. */
export function paintGauge(buffer: CellBuffer, area: Area, label: string, share: number | undefined): void {
  const text = share === undefined ? "    n/a" : `${(share * 100).toFixed(1).padStart(6)}%`;
  const from = label.length + 1;
  const width = area.width - from - text.length;
  buffer.put(area.x, area.y, label, styles.plain, area.width);
  if (width < 1) return;
  const filled = Math.round(Math.min(1, Math.max(0, share ?? 0)) * width);
  buffer.put(area.x + from, area.y, "█".repeat(filled), colored(colorOfShare(share ?? 0)));
  buffer.put(area.x + from + filled, area.y, "░".repeat(width - filled), styles.dim);
  buffer.put(area.x + from + width, area.y, text);
}
