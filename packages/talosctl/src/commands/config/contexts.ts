import type { CommandDefinition } from "../../command.ts";
import { printRecords, recordFormatOption, type Column } from "../../output/records.ts";
import { readTalosconfig } from "./edit-talosconfig.ts";

const shownNodes = 3;

export const command: CommandDefinition = {
  options: [recordFormatOption],
  examples: ["talosctl config contexts", "talosctl config contexts -o json"],
  async run(invocation) {
    const config = await readTalosconfig(invocation);
    const records = [...config.contexts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { endpoints, nodes }]): ContextRecord => ({
        current: name === config.context,
        name,
        endpoints,
        nodes,
      }));
    await printRecords(invocation, columns, records);
  },
};

interface ContextRecord {
  readonly current: boolean;
  readonly name: string;
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
}

const columns: readonly Column<ContextRecord>[] = [
  ["CURRENT", ({ current }) => (current ? "*" : "")],
  ["NAME", ({ name }) => name],
  ["ENDPOINTS", ({ endpoints }) => endpoints.join(",")],
  ["NODES", ({ nodes }) => `${nodes.slice(0, shownNodes).join(",")}${nodes.length > shownNodes ? "..." : ""}`],
];
