import { nearest, OsError } from "@talos-ts/base";
import type { CommandEntry } from "./command.ts";

/**
 * Builds the error for a word that names no command. Commands that erase or stop something are never suggested: whoever
 * repeats the line with the suggestion must not lose anything.
 *
 * @param path the program and the groups before the word, as in `talosctl config`
 */
export function unknownCommand(path: string, word: string, entries: readonly CommandEntry[]): OsError {
  const names = entries
    .filter(({ hidden, destructive }) => hidden !== true && destructive !== true)
    .flatMap(({ name, aliases = [] }) => [name].concat(aliases.filter((alias) => alias.length > 2)));
  const meant = nearest(word, names);
  return new OsError({
    kind: "invalid-argument",
    code: "cli/unknown-command",
    message: `unknown command ${JSON.stringify(word)} for ${JSON.stringify(path)}${meant === undefined ? "" : `, did you mean ${JSON.stringify(meant)}?`}`,
    next: `${path} --help`,
  });
}
