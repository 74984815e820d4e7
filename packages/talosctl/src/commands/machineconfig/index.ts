import type { CommandEntry } from "../../command.ts";

export const machineConfigCommands: readonly CommandEntry[] = [
  {
    name: "gen",
    aliases: ["generate"],
    summary: "Make the configurations of a cluster",
    load: () => import("../gen/config.ts"),
  },
  { name: "schema", summary: "Print the JSON schema of all documents, for editors", load: () => import("./schema.ts") },
  { name: "patch", summary: "Apply patches to a configuration", load: () => import("./patch.ts") },
];
