import { completionCommand } from "./completion-command.ts";

export const command = completionCommand("powershell", [
  "talosctl completion powershell | Out-String | Invoke-Expression",
]);
