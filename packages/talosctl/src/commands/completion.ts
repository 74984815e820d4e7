import { OsError } from "@talos-ts/base";
import type { CommandDefinition } from "../command.ts";
import { completionScripts } from "../completion/scripts.ts";

const shells = Object.keys(completionScripts);

export const command: CommandDefinition = {
  description: "Prints a script that teaches a shell the commands, flags and resource types of talosctl.",
  talksToNodes: false,
  arguments: [{ spec: "<shell>", description: shells.join(", "), choices: shells }],
  examples: [
    "source <(talosctl completion bash)",
    "talosctl completion fish > ~/.config/fish/completions/talosctl.fish",
  ],
  async run({ args, io }) {
    const script = completionScripts[args[0] ?? ""];
    if (script === undefined) {
      throw new OsError({
        kind: "invalid-argument",
        code: "cli/unknown-shell",
        message: `unsupported shell ${JSON.stringify(args[0])}, expected one of ${shells.join(", ")}`,
      });
    }
    io.out(script);
  },
};
