import { completionCommand } from "./completion-command.ts";

export const command = completionCommand("zsh", ['talosctl completion zsh > "${fpath[1]}/_talosctl"']);
