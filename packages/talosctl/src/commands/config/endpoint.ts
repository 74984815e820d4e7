import { setEndpoints } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition } from "../../command.ts";
import { editTalosconfig } from "./edit-talosconfig.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<endpoint...>", description: "control plane addresses to connect to" }],
  examples: ["talosctl config endpoint 10.5.0.2 10.5.0.3"],
  run: (invocation) =>
    editTalosconfig(invocation, (config) => setEndpoints(config, invocation.args, invocation.global.context)),
};
