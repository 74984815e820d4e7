import type { CommandEntry } from "../../command.ts";

export const metaCommands: readonly CommandEntry[] = [
  {
    name: "delete",
    destructive: true,
    summary: "Delete a key of the META partition",
    load: () => import("./delete.ts"),
  },
  { name: "write", summary: "Write a key of the META partition", load: () => import("./write.ts") },
];
