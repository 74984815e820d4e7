import type { OptionDefinition } from "../../command.ts";

/** Every command that makes files has it. */
export const forceOption: OptionDefinition = { flags: "-f, --force", description: "replace files that exist" };
