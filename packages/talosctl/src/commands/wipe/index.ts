import type { CommandEntry } from "../../command.ts";

export const wipeCommands: readonly CommandEntry[] = [
  { name: "disk", destructive: true, summary: "Wipe block devices", load: () => import("./disk.ts") },
];
