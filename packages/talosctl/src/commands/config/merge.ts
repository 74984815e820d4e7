import { access } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { formatRename, mergeTalosconfig, openTalosconfig } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition } from "../../command.ts";
import { editTalosconfig } from "./edit-talosconfig.ts";

export const command: CommandDefinition = {
  description: "Adds the contexts of another client configuration. A name that is taken gets a number.",
  arguments: [{ spec: "<from>", description: "path of the other configuration" }],
  examples: ["talosctl config merge ./talosconfig"],
  async run(invocation) {
    const [from = ""] = invocation.args;
    await access(from).catch((cause: unknown) => {
      const message = `Cannot read ${JSON.stringify(from)}, expected a client configuration`;
      throw new OsError({ kind: "not-found", code: "talosconfig/unreadable", message, cause });
    });
    const other = await openTalosconfig(from);
    await editTalosconfig(invocation, (config) => {
      const merged = mergeTalosconfig(config, other.config);
      for (const rename of merged.renames) invocation.io.err(`renamed talosconfig context ${formatRename(rename)}\n`);
      const added = merged.renames.find(({ from }) => from === other.config.context)?.to ?? other.config.context;
      if (merged.config.context !== added && other.config.contexts.has(other.config.context)) {
        invocation.io.err(
          `context ${JSON.stringify(added)} has no endpoints, ${JSON.stringify(merged.config.context)} stays the current one\n` +
            `next: talosctl config endpoint --context ${added} <control plane address>\n`,
        );
      }
      return merged.config;
    });
  },
};
