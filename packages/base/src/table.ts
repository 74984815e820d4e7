import { visibleText } from "./visible-text.ts";

/** Lines up rows in columns separated by `gap` spaces, as `tabwriter` does; trailing spaces are dropped, control characters written out. */
export function formatTable(content: readonly (readonly string[])[], gap = 3): string {
  const rows = content.map((row) => row.map(visibleText));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, index) =>
        index === row.length - 1 ? cell : cell.padEnd((widths[index] ?? 0) + gap),
      );
      return `${cells.join("").trimEnd()}\n`;
    })
    .join("");
}
