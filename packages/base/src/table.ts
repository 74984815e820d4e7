/** Lines up rows in columns separated by `gap` spaces, as `tabwriter` does; trailing spaces are dropped. */
export function formatTable(rows: readonly (readonly string[])[], gap = 3): string {
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
