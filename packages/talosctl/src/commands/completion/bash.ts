import { completionCommand } from "./completion-command.ts";

export const command = completionCommand("bash", [
  "source <(talosctl completion bash)",
  "talosctl completion bash > /etc/bash_completion.d/talosctl",
]);
