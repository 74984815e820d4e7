import { visibleText } from "@talos-ts/base";

/** Lines up rows that come over time: a later row keeps to the columns of the earlier ones where it can. */
export interface Columns {
  add(row: readonly string[]): void;
  flush(): void;
}

const gap = 3;

export function createColumns(out: (text: string) => void): Columns {
  const widths: number[] = [];
  let waiting: (readonly string[])[] = [];
  return {
    add: (row) => void waiting.push(row.map(visibleText)),
    flush() {
      for (const row of waiting) {
        for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
      }
      out(
        waiting
          .map(
            (row) =>
              `${row
                .map((cell, index) => cell.padEnd((widths[index] ?? 0) + gap))
                .join("")
                .trimEnd()}\n`,
          )
          .join(""),
      );
      waiting = [];
    },
  };
}
