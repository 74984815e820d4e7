import type { CommandDefinition } from "../command.ts";
import { findCandidates } from "../completion/candidates.ts";
import { flag, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description: "Answers the completion scripts: a line for each candidate, with what it is for behind a tab.",
  talksToNodes: false,
  arguments: [{ spec: "[words...]", description: "words after the program's name, up to the cursor" }],
  options: [
    { flags: "--no-descriptions", description: "print candidates alone" },
    { flags: "--partial <word>", description: "the unfinished word, when it is not the last of the words" },
  ],
  async run(invocation) {
    const partial = textOption(invocation, "partial");
    const words = partial === undefined ? invocation.args : [...invocation.args, partial];
    for (const { value, description } of await findCandidates(words, invocation)) {
      const text = flag(invocation, "descriptions") ? description : "";
      invocation.io.out(text === "" ? `${value}\n` : `${value}\t${text}\n`);
    }
  },
};
