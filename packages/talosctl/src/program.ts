import { Argument, Command, Option, type CommanderError } from "commander";
import type { CommandDefinition, CommandEntry, Io, OptionDefinition } from "./command.ts";
import { globalOptionDefinitions, readGlobalOptions } from "./global-options.ts";
import { partialFailureOf } from "./session/partial-failure.ts";
import { unknownCommand } from "./unknown-command.ts";
import { usageError } from "./usage-error.ts";

export interface ProgramOptions {
  readonly name: string;
  readonly description: string;
  readonly entries: readonly CommandEntry[];
  readonly io: Io;
  readonly signal: AbortSignal;
}

/**
 * Runs one command line. Only the command that is called is loaded; the others are known by their line in the list.
 * Rejects with `cli/usage` for usage problems, with commander's own error once help was shown, and with the command's
 * error otherwise.
 */
export async function runProgram(options: ProgramOptions, words: readonly string[]): Promise<void> {
  const argv = spellHelp(words);
  const root = new Command(options.name).description(options.description);
  // Flags before the command are for all commands; those after it are its own, and may have the same letters.
  root.exitOverride(refuse(root)).enablePositionalOptions().helpCommand(false).showSuggestionAfterError(false);
  root.action(() => root.outputHelp());
  root.configureOutput({ writeOut: (text) => options.io.out(text), writeErr: () => undefined });
  root.configureHelp({ showGlobalOptions: true, sortSubcommands: true });
  // Flags that choose nodes may stand before the command too; there they are not worth a line of help.
  for (const option of globalOptionDefinitions) root.addOption(toOption({ ...option, hidden: true }));
  const loaded = await attach(root, options.entries, argv, options);
  const known = [...loaded.flatMap((definition) => definition.options ?? []), ...globalOptionDefinitions];
  await root.parseAsync(spellValues(argv, known), { from: "user" });
}

/** Writes `help config merge` as `config merge --help`. */
function spellHelp(argv: readonly string[]): readonly string[] {
  const position = nextWord(argv);
  return argv[position] === "help" ? [...argv.toSpliced(position, 1), "--help"] : argv;
}

/** Reports whether an option is on or off and takes no value. */
function isSwitch({ flags }: OptionDefinition): boolean {
  return !/[<[]/.test(flags);
}

/** Writes flags with a value behind `=`, which scripts use, as the parser knows them: `--wait=false`, `-f=true`, `-n=10.5.0.2`. */
function spellValues(argv: readonly string[], options: readonly OptionDefinition[]): string[] {
  const known = new Map(
    options.flatMap((option) => (option.flags.match(/--?[\w-]+/g) ?? []).map((flag) => [flag, option] as const)),
  );
  const takesNext = (word: string | undefined): boolean => {
    const option = word === undefined ? undefined : known.get(word);
    return option !== undefined && !isSwitch(option);
  };
  return argv.flatMap((word, at) => {
    const [, name = "", value = ""] = /^(--[\w-]+|-\w)=(.*)$/s.exec(word) ?? [];
    const option = known.get(name);
    if (option === undefined || takesNext(argv[at - 1])) return [word];
    if (!isSwitch(option)) return name.startsWith("--") ? [word] : [name, value];
    if (value === "true") return [name];
    return value === "false" ? [oppositeOf(/--[\w-]+/.exec(option.flags)?.[0] ?? name)] : [word];
  });
}

/** Returns the flag that undoes a switch: `--no-wait` of `--wait`, `--reboot` of `--no-reboot`. */
function oppositeOf(long: string): string {
  return long.startsWith("--no-") ? long.replace("--no-", "--") : long.replace("--", "--no-");
}

/**
 * Adds the command that is called, and loads it; without one, adds all for help.
 *
 * @throws {OsError} `cli/unknown-command`, unless the parent takes words of its own
 */
async function attach(
  parent: Command,
  entries: readonly CommandEntry[],
  argv: readonly string[],
  options: ProgramOptions,
  takesWords = false,
): Promise<readonly CommandDefinition[]> {
  const loaded: CommandDefinition[] = [];
  const position = nextWord(argv);
  const word = argv[position];
  const rest = argv.slice(position + 1);
  const found = entries.find(({ name, aliases }) => word !== undefined && (name === word || aliases?.includes(word)));
  if (found === undefined && word !== undefined && !takesWords) throw unknownCommand(pathOf(parent), word, entries);
  for (const entry of found === undefined ? entries : [found]) {
    const called = entry === found;
    const command = parent.command(entry.name, { hidden: entry.hidden ?? false }).summary(entry.summary);
    command.description(entry.summary).aliases([...(entry.aliases ?? [])]);
    command.copyInheritedSettings(parent).exitOverride(refuse(command));
    if (called && entry.load !== undefined) {
      const definition = (await entry.load()).command;
      define(command, definition, options);
      loaded.push(definition);
    }
    if (entry.subcommands !== undefined) {
      if (entry.load === undefined) command.action(() => command.outputHelp());
      loaded.push(...(await attach(command, entry.subcommands, called ? rest : [], options, entry.load !== undefined)));
    }
  }
  return loaded;
}

/** The index of the first word that is neither a flag nor the value of a flag that chooses nodes. */
function nextWord(argv: readonly string[]): number {
  let index = 0;
  while (argv[index]?.startsWith("-") === true) index += valueFlags.has(argv[index] ?? "") ? 2 : 1;
  return index;
}

const valueFlags: ReadonlySet<string> = new Set(
  globalOptionDefinitions.flatMap(({ flags }) => flags.match(/--?[\w-]+/g) ?? []),
);

function define(command: Command, definition: CommandDefinition, options: ProgramOptions): void {
  if (definition.description !== undefined) command.description(definition.description);
  for (const argument of definition.arguments ?? []) {
    const made = new Argument(argument.spec, argument.description);
    command.addArgument(made);
  }
  for (const option of definition.options ?? []) {
    command.addOption(toOption(option));
    const long = /--[\w-]+/.exec(option.flags)?.[0];
    if (!isSwitch(option) || long === undefined) continue;
    const opposite = new Option(oppositeOf(long)).hideHelp();
    // Of `--no-reboot` the value is that of `reboot`, which is on unless it is given.
    command.addOption(long.startsWith("--no-") ? opposite.default(true) : opposite);
  }
  if (definition.talksToNodes !== false)
    for (const option of globalOptionDefinitions) command.addOption(toOption(option));
  if (definition.examples !== undefined) {
    command.addHelpText("after", `\nExamples:\n${definition.examples.map((line) => `  ${line}\n`).join("")}`);
  }
  command.action(async () => {
    const values = command.opts<Record<string, unknown>>();
    const invocation = {
      args: command.args,
      options: values,
      global: readGlobalOptions(values, rootOf(command).opts()),
      called: { path: pathOf(command), options: definition.options ?? [] },
      signal: options.signal,
      io: options.io,
      entries: options.entries,
    };
    try {
      await definition.run(invocation);
      const partial = partialFailureOf(invocation);
      if (partial !== undefined) throw partial;
    } catch (err) {
      if (definition.talksToNodes === false || options.signal.aborted) throw err;
      throw await (await import("./doctor/explain-failure.ts")).explainFailure(err, invocation);
    }
  });
}

/** Returns the end of a parse that stops at a command: help is shown, anything else is a mistake in the words. */
function refuse(command: Command): (err: CommanderError) => never {
  return (err) => {
    if (err.exitCode === 0) throw err;
    const flags = command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long }) => long ?? []);
    throw usageError({ message: err.message, path: pathOf(command), flags });
  };
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function toOption(definition: OptionDefinition): Option {
  const option = new Option(definition.flags, definition.description);
  if (definition.choices !== undefined) option.choices([...definition.choices]);
  if (definition.hidden === true) option.hideHelp();
  if (definition.required === true) option.makeOptionMandatory();
  // What is given takes the place of a default, and is added to what was given before.
  const given = (previous: readonly string[] | undefined): readonly string[] =>
    previous === definition.default ? [] : (previous ?? []);
  if (definition.list === true) {
    option.argParser<readonly string[]>((value, previous) => [
      ...given(previous),
      ...value.split(",").filter((part) => part !== ""),
    ]);
  }
  if (definition.repeat === true) option.argParser<readonly string[]>((value, previous) => [...given(previous), value]);
  if (definition.default !== undefined) option.default(definition.default);
  return option;
}
