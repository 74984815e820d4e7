import { completionCommand } from "./completion-command.ts";

export const command = completionCommand("fish", [
  "talosctl completion fish > ~/.config/fish/completions/talosctl.fish",
]);
