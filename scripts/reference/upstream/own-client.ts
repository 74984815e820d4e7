import type { CommandEntry, OptionDefinition } from "@talos-ts/talosctl";
import type { CommandFacts, FlagFacts, ValueKind } from "./read-client.ts";

/** Collects the facts of this project's commands, groups and hidden ones too, from their definitions. */
export async function collectOwnClient(
  entries: readonly CommandEntry[],
  above: readonly string[] = [],
): Promise<readonly CommandFacts[]> {
  const commands: CommandFacts[] = [];
  for (const { name, aliases = [], load, subcommands = [] } of entries) {
    const path = [...above, name];
    const definition = (await load?.())?.command;
    commands.push({
      name: path.join(" "),
      aliases,
      talksToNodes: definition !== undefined && definition.talksToNodes !== false,
      flags: definition?.options?.map(factsOf) ?? [],
    });
    commands.push(...(await collectOwnClient(subcommands, path)));
  }
  return commands;
}

function factsOf(option: OptionDefinition): FlagFacts {
  const [, shorthand] = /(?:^|\s)-(\w)\b/.exec(option.flags) ?? [];
  const [, name = ""] = /--([\w-]+)/.exec(option.flags) ?? [];
  const { default: value, description } = option;
  return {
    name,
    shorthand,
    kind: kindOf(option),
    default: value === undefined || value === false ? undefined : String(value),
    describedDefault: /\(default: ([^)]+)\)/.exec(description)?.[1],
  };
}

function kindOf({ flags, list, repeat }: OptionDefinition): ValueKind {
  if (list === true || repeat === true) return "list";
  return /[<[]/.test(flags) ? "text" : "switch";
}
