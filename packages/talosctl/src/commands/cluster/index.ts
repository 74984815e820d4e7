import type { CommandEntry } from "../../command.ts";

export const clusterCommands: readonly CommandEntry[] = [
  {
    name: "create",
    summary: "Create a cluster of containers",
    load: () => import("./create.ts"),
    subcommands: [{ name: "docker", summary: "The same, by upstream's name", load: () => import("./create.ts") }],
  },
  { name: "destroy", summary: "Remove a cluster", load: () => import("./destroy.ts") },
  { name: "show", summary: "Show a cluster and its nodes", load: () => import("./show.ts") },
];
