import {
  globalOptionDefinitions,
  type CommandDefinition,
  type CommandEntry,
  type OptionDefinition,
} from "@talos-ts/talosctl";
import { differenceSection } from "./difference-section.ts";
import { code, table } from "./markdown.ts";

/** The page about every command of the client, from the definitions that also make its `--help`. */
export async function commandPage(entries: readonly CommandEntry[]): Promise<string> {
  const sections: string[] = [];
  const summaries: (readonly string[])[] = [];
  for (const [path, entry] of flatten(entries, [])) {
    const definition = (await entry.load?.())?.command;
    if (definition === undefined) continue;
    const name = path.join(" ");
    summaries.push([`[${name}](#${path.join("-")})`, entry.summary]);
    sections.push(commandSection(name, entry, definition));
  }
  return [
    "# talosctl",
    "",
    "Flags that choose nodes may stand before or after the command. Values win in this order: flag, environment, client configuration.",
    "",
    table(["command", "what it does"], summaries),
    "",
    "## Flags of every command that talks to nodes",
    "",
    table(["flag", "meaning"], globalOptionDefinitions.map(optionRow)),
    "",
    await differenceSection(entries),
    ...sections,
  ].join("\n");
}

function* flatten(
  entries: readonly CommandEntry[],
  above: readonly string[],
): Generator<readonly [path: readonly string[], entry: CommandEntry]> {
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.hidden === true) continue;
    const path = [...above, entry.name];
    yield [path, entry];
    yield* flatten(entry.subcommands ?? [], path);
  }
}

function commandSection(name: string, entry: CommandEntry, definition: CommandDefinition): string {
  const { arguments: args = [], options = [], examples = [], talksToNodes } = definition;
  const visible = options.filter(({ hidden }) => hidden !== true);
  const usage = ["talosctl", name, ...args.map(({ spec }) => spec), "[flags]"].join(" ");
  const parts = [
    `## ${name}`,
    definition.description ?? `${entry.summary}.`,
    `\`\`\`text\n${usage}\n\`\`\``,
    entry.aliases === undefined ? "" : `Also: ${entry.aliases.map(code).join(", ")}.`,
    args.length === 0
      ? ""
      : table(
          ["argument", "meaning"],
          args.map((each) => [code(each.spec), each.description]),
        ),
    visible.length === 0 ? "" : table(["flag", "meaning"], visible.map(optionRow)),
    talksToNodes === false ? "Runs without a node." : "",
    examples.length === 0 ? "" : `\`\`\`sh\n${examples.join("\n")}\n\`\`\``,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function optionRow(option: OptionDefinition): readonly string[] {
  const { flags, description, default: value, choices, list, repeat, required } = option;
  const notes = [
    description,
    choices === undefined ? "" : `one of ${choices.map(code).join(", ")}`,
    value === undefined || value === false ? "" : `default: ${code(String(value))}`,
    list === true ? "may be repeated or a comma-separated list" : "",
    repeat === true ? "may be repeated" : "",
    required === true ? "required" : "",
  ];
  return [code(flags), notes.filter((note) => note !== "").join("; ")];
}
