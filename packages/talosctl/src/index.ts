export { runProgram } from "./program.ts";
export { commandEntries } from "./commands/index.ts";
export { globalOptionDefinitions } from "./global-options.ts";
export type { ArgumentDefinition, CommandDefinition, CommandEntry, OptionDefinition } from "./command.ts";
