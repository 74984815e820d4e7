import { useContext } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition } from "../../command.ts";
import { contextNames, editTalosconfig } from "./edit-talosconfig.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<context>", description: "name of the context", suggest: contextNames }],
  examples: ["talosctl config context production"],
  run: (invocation) => editTalosconfig(invocation, (config) => useContext(config, invocation.args[0] ?? "")),
};
