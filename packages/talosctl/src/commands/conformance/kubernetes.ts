import { OsError } from "@talos-ts/base";
import type { CommandDefinition } from "../../command.ts";
import { badFlag, textOption } from "../../values.ts";

const modes: readonly string[] = ["fast", "certified", "network-policy"];

/** Returns the refusal of a command that would need the tests of Kubernetes, with the command that has them. */
export function noTestPrograms(command: string): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "conformance/no-tests",
    message: `cannot run "${command}": the e2e tests of Kubernetes are separate programs and images that this client does not include`,
    next: "npm run conformance, in a clone of this project, builds them and runs them on a cluster made for it",
  });
}

export const command: CommandDefinition = {
  description:
    "Says how conformance tests of Kubernetes are run. They are separate programs: `npm run conformance` builds them and runs them on a cluster made for it.",
  talksToNodes: false,
  options: [{ flags: "--mode <mode>", description: "fast, certified or network-policy", default: "fast" }],
  examples: ["talosctl conformance kubernetes"],
  async run(invocation) {
    const mode = textOption(invocation, "mode") ?? "fast";
    if (!modes.includes(mode)) throw badFlag("mode", mode, modes.join(", "));
    throw noTestPrograms("conformance kubernetes");
  },
};
