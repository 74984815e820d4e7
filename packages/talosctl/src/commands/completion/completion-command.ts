import type { CommandDefinition } from "../../command.ts";
import { completionScript, type Shell } from "../../completion/scripts.ts";
import { flag } from "../../values.ts";

/** Makes the command that prints the script of one shell. */
export function completionCommand(shell: Shell, examples: readonly string[]): CommandDefinition {
  return {
    description: `Prints a script that teaches ${shell} the commands, flags and resource types of talosctl.`,
    talksToNodes: false,
    options: [{ flags: "--no-descriptions", description: "offer words without what they are for" }],
    examples,
    async run(invocation) {
      invocation.io.out(completionScript(shell, { descriptions: flag(invocation, "descriptions") }));
    },
  };
}
