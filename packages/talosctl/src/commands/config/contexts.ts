import { formatTable } from "@talos-ts/base";
import type { CommandDefinition } from "../../command.ts";
import { readTalosconfig } from "./edit-talosconfig.ts";

const shownNodes = 3;

export const command: CommandDefinition = {
  async run(invocation) {
    const config = await readTalosconfig(invocation);
    const rows = [...config.contexts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { endpoints, nodes }]) => [
        name === config.context ? "*" : "",
        name,
        endpoints.join(","),
        `${nodes.slice(0, shownNodes).join(",")}${nodes.length > shownNodes ? "..." : ""}`,
      ]);
    invocation.io.out(formatTable([["CURRENT", "NAME", "ENDPOINTS", "NODES"], ...rows]));
  },
};
