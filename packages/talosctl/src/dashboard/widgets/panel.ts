import type { Area, CellBuffer } from "../../terminal/cell-buffer.ts";
import { strong, styles, type Style } from "../../terminal/style.ts";

/** Draws a frame with a title; returns the area inside. An area too small for a frame stays as it is. */
export function paintPanel(buffer: CellBuffer, area: Area, title: string, titleStyle: Style = strong()): Area {
  const { x, y, width, height } = area;
  if (width < 2 || height < 2) return { ...area, width: 0, height: 0 };
  const line = "─".repeat(width - 2);
  buffer.put(x, y, `┌${line}┐`, styles.dim);
  for (let row = y + 1; row < y + height - 1; row++) {
    buffer.put(x, row, "│", styles.dim);
    buffer.put(x + width - 1, row, "│", styles.dim);
  }
  buffer.put(x, y + height - 1, `└${line}┘`, styles.dim);
  if (width > 6) buffer.put(x + 2, y, ` ${title} `, titleStyle, width - 4);
  return { x: x + 1, y: y + 1, width: width - 2, height: height - 2 };
}
