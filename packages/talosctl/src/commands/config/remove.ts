import { matchContexts, removeContexts } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition } from "../../command.ts";
import { confirm } from "../../confirm.ts";
import { flag } from "../../values.ts";
import { contextNames, editTalosconfig } from "./edit-talosconfig.ts";

export const command: CommandDefinition = {
  arguments: [
    { spec: "<context>", description: "name of the context, in which * stands for any text", suggest: contextNames },
  ],
  options: [
    { flags: "--dry-run", description: "only show what would be removed" },
    { flags: "-y, --noconfirm", description: "do not ask" },
  ],
  examples: ["talosctl config remove production --noconfirm", "talosctl config remove 'test-*' --dry-run"],
  run: (invocation) =>
    editTalosconfig(invocation, async (config) => {
      const { io, signal } = invocation;
      const names: string[] = [];
      const unasked = `talosctl config remove --noconfirm ${invocation.args[0] ?? ""}`;
      for (const name of matchContexts(config, invocation.args[0] ?? "")) {
        const shown = JSON.stringify(name);
        if (name === config.context) {
          io.err(`skipping removal of current context ${shown}, please change it to another before removing\n`);
        } else if (flag(invocation, "noconfirm") || flag(invocation, "dryRun")) {
          io.err(`removing context ${shown}\n`);
          names.push(name);
        } else if (await confirm(io, { question: `remove context ${shown}?`, unasked, signal })) {
          names.push(name);
        }
      }
      return flag(invocation, "dryRun") || names.length === 0 ? undefined : removeContexts(config, names);
    }),
};
