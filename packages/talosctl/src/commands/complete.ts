import type { CommandDefinition } from "../command.ts";
import { findCandidates } from "../completion/candidates.ts";

export const command: CommandDefinition = {
  description: "Answers the completion scripts: a line for each candidate, with what it is for behind a tab.",
  talksToNodes: false,
  arguments: [{ spec: "[words...]", description: "words after the program's name, up to the cursor" }],
  async run(invocation) {
    for (const { value, description } of await findCandidates(invocation.args, invocation)) {
      invocation.io.out(description === "" ? `${value}\n` : `${value}\t${description}\n`);
    }
  },
};
