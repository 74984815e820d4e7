import type { CommandDefinition, CommandEntry, Invocation, OptionDefinition } from "../command.ts";
import { globalOptionDefinitions, readGlobalOptions } from "../global-options.ts";

/** Describes what could stand where the cursor is. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Describes where the words before the cursor lead to. */
interface Place {
  entries: readonly CommandEntry[];
  definition: CommandDefinition | undefined;
  /** Number of arguments of the command that are given already. */
  given: number;
  /** The option whose value comes next. */
  expecting: OptionDefinition | undefined;
  /** Values of the options so far, by camel-case name. */
  readonly values: Record<string, string | readonly string[]>;
}

/**
 * The candidates for the last of the words after the program's name; it may be empty. Only the command that the words
 * name is loaded.
 */
export async function findCandidates(words: readonly string[], invocation: Invocation): Promise<readonly Candidate[]> {
  const partial = words.at(-1) ?? "";
  const place = await walk(words.slice(0, -1), invocation.entries);
  // Suggestions that ask a node must ask the one that the words before the cursor name.
  const global = readGlobalOptions(place.values, { ...invocation.global });
  const found = await candidatesAt(place, partial, { ...invocation, global });
  return found.filter(({ value }) => value.startsWith(partial));
}

async function walk(words: readonly string[], entries: readonly CommandEntry[]): Promise<Place> {
  const place: Place = { entries, definition: undefined, given: 0, expecting: undefined, values: {} };
  for (const word of words) {
    if (place.expecting !== undefined) {
      place.values[nameOf(place.expecting)] = place.expecting.list === true ? word.split(",") : word;
      place.expecting = undefined;
    } else if (word.startsWith("-")) {
      const option = optionsOf(place.definition).find(({ flags }) => namesOf(flags).includes(word));
      place.expecting = option !== undefined && takesValue(option) ? option : undefined;
    } else {
      const entry = place.entries.find(({ name, aliases }) => name === word || aliases?.includes(word) === true);
      if (entry === undefined) {
        place.given += 1;
        continue;
      }
      place.entries = entry.subcommands ?? [];
      place.definition = (await entry.load?.())?.command;
      place.given = 0;
    }
  }
  return place;
}

async function candidatesAt(place: Place, partial: string, invocation: Invocation): Promise<readonly Candidate[]> {
  const { entries, definition, given, expecting } = place;
  if (expecting !== undefined) return (await suggested(expecting, invocation)).map(plain);
  if (partial.startsWith("-")) {
    return optionsOf(definition)
      .filter(({ hidden }) => hidden !== true)
      .map(({ flags, description }) => ({ value: namesOf(flags).at(-1) ?? "", description }));
  }
  const commands = entries
    .filter(({ hidden }) => hidden !== true)
    .map(({ name, summary }) => ({ value: name, description: summary }));
  const argument = definition?.arguments?.[given];
  const values = argument === undefined ? [] : await suggested(argument, invocation);
  return [...commands, ...values.map(plain)];
}

/** Looks values up; a node that does not answer offers none. */
async function suggested(
  { choices, suggest }: Pick<OptionDefinition, "choices" | "suggest">,
  invocation: Invocation,
): Promise<readonly string[]> {
  return choices ?? (await suggest?.(invocation).catch(() => [])) ?? [];
}

function nameOf({ flags }: OptionDefinition): string {
  const long = namesOf(flags).at(-1) ?? "";
  return long.replace(/^--?/, "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const plain = (value: string): Candidate => ({ value, description: "" });
const namesOf = (flags: string): readonly string[] => flags.match(/--?[\w-]+/g) ?? [];
const takesValue = ({ flags }: OptionDefinition): boolean => /[<[]/.test(flags);

function optionsOf(definition: CommandDefinition | undefined): readonly OptionDefinition[] {
  const own = definition?.options ?? [];
  return definition?.talksToNodes === false ? own : [...own, ...globalOptionDefinitions];
}
