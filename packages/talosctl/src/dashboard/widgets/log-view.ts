import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, styles, type Style } from "../../terminal/style.ts";

/** Words that give a line its colour. */
const marks: readonly (readonly [pattern: RegExp, style: Style])[] = [
  [/\b(error|failed|failure|fatal|panic)\b/i, colored("red")],
  [/\bwarn(ing)?\b/i, colored("yellow")],
];

/**
 * Draws lines, the newest at the bottom.
 *
 * @param fromEnd Lines to stay above the newest one; as many as can be scrolled to.
 */
export function paintLog(buffer: CellBuffer, area: Area, lines: readonly string[], fromEnd: number): void {
  const end = Math.max(Math.min(lines.length, area.height), lines.length - fromEnd);
  const shown = lines.slice(Math.max(0, end - area.height), end);
  for (const [index, line] of shown.entries()) {
    const style = marks.find(([pattern]) => pattern.test(line))?.[1] ?? styles.plain;
    buffer.put(area.x, area.y + index, line, style, area.width);
  }
}
