import { setNodes } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition } from "../../command.ts";
import { editTalosconfig } from "./edit-talosconfig.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "[node...]", description: "machines that commands are for; none clears the list" }],
  examples: ["talosctl config node 10.5.0.2"],
  run: (invocation) =>
    editTalosconfig(invocation, (config) => setNodes(config, invocation.args, invocation.global.context)),
};
