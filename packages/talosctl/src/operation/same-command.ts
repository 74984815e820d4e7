import type { Invocation, OptionDefinition } from "../command.ts";

/**
 * Writes the command line that repeats a call: its arguments, its flags with a value other than the default, and nodes. Flags that choose the
 * client configuration are left out, as in every other advice: who follows it may have another.
 *
 * @param nodes Addresses or names. @default those of the call
 */
export function sameCommand(
  { called, args, options, global }: Pick<Invocation, "called" | "args" | "options" | "global">,
  nodes: readonly string[] = global.nodes,
): string {
  const flags = called.options.flatMap((definition) => flagOf(definition, options));
  const on = nodes === global.nodes ? list("--on", global.on) : [];
  return [called.path, ...args, ...flags, ...list("--nodes", nodes), ...on].map(quoted).join(" ");
}

function flagOf(definition: OptionDefinition, values: Readonly<Record<string, unknown>>): readonly string[] {
  const long = /--[\w-]+/.exec(definition.flags)?.[0] ?? "";
  const isNegative = long.startsWith("--no-");
  const name = (isNegative ? long.slice("--no-".length) : long.slice(2)).replace(/-(\w)/g, (_match, letter: string) =>
    letter.toUpperCase(),
  );
  const value = values[name];
  if (value === undefined || value === definition.default) return [];
  if (typeof value === "boolean") {
    if (isNegative) return value ? [] : [long];
    if (value) return [long];
    return definition.default === true ? [`${long}=false`] : [];
  }
  if (!Array.isArray(value)) return [long, String(value)];
  return definition.repeat === true ? value.flatMap((each) => [long, String(each)]) : list(long, value as string[]);
}

function list(long: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [long, values.join()];
}

/** Quotes a word for the shell where it must be; the path of a command has spaces of its own. */
function quoted(word: string, index: number): string {
  if (index === 0 || /^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
