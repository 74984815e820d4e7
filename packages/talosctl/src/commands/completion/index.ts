import type { CommandEntry } from "../../command.ts";

export const completionCommands: readonly CommandEntry[] = [
  { name: "bash", summary: "Print the completion script of bash", load: () => import("./bash.ts") },
  { name: "fish", summary: "Print the completion script of fish", load: () => import("./fish.ts") },
  { name: "powershell", summary: "Print the completion script of PowerShell", load: () => import("./powershell.ts") },
  { name: "zsh", summary: "Print the completion script of zsh", load: () => import("./zsh.ts") },
];
