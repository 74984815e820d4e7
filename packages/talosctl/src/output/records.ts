import { formatTable } from "@talos-ts/base";
import type { Invocation, OptionDefinition } from "../command.ts";
import { textOption } from "../values.ts";

/** A column of a table of records: its heading, and the text of a record in it. */
export type Column<R> = readonly [heading: string, text: (record: R) => string];

const formats: Readonly<
  Record<string, <R>(columns: readonly Column<R>[], records: readonly R[], gap?: number) => Promise<string>>
> = {
  table: async (columns, records, gap) =>
    formatTable(
      [columns.map(([heading]) => heading), ...records.map((record) => columns.map(([, text]) => text(record)))],
      gap,
    ),
  json: async (_columns, records) => `${JSON.stringify(records, undefined, 2)}\n`,
  yaml: async (_columns, records) => (await import("./yaml.ts")).formatYaml(records),
};

/** The flag of commands that print records. */
export const recordFormatOption: OptionDefinition = {
  flags: "-o, --output <format>",
  description: "output format",
  choices: Object.keys(formats),
  default: "table",
};

/** Reports whether the flag asks for a table, which is for people, and not for records, which are for programs. */
export const wantsTable = (invocation: Invocation): boolean =>
  (textOption(invocation, "output") ?? "table") === "table";

/**
 * Prints records as the flag says: the columns as a table, or the whole records for programs.
 *
 * @param gap Spaces between the columns of the table. Default: 3.
 */
export async function printRecords<R extends object>(
  invocation: Invocation,
  columns: readonly Column<R>[],
  records: readonly R[],
  gap?: number,
): Promise<void> {
  const format = formats[textOption(invocation, "output") ?? "table"];
  invocation.io.out((await format?.(columns, records, gap)) ?? "");
}
