import type { Invocation } from "../command.ts";
import { textOption } from "../values.ts";

const writers: Readonly<Record<"json" | "yaml", (out: (text: string) => void) => Promise<(record: object) => void>>> = {
  json: async (out) => (record) => out(`${JSON.stringify(record)}\n`),
  yaml: async (out) => {
    const { formatYaml } = await import("./yaml.ts");
    let isFirst = true;
    return (record) => {
      out(`${isFirst ? "" : "---\n"}${formatYaml(record)}`);
      isFirst = false;
    };
  },
};

/**
 * Makes a writer of records that come one by one, for programs, in the format of `recordFormatOption`: one JSON object for each line,
 * or YAML documents. A table is made by the command itself.
 */
export async function createRecordStream(invocation: Invocation): Promise<(record: object) => void> {
  const format = textOption(invocation, "output") === "yaml" ? "yaml" : "json";
  return await writers[format]((text) => invocation.io.out(text));
}
