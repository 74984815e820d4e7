import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Kinds of values that a flag takes; a switch takes none. */
export type ValueKind = "switch" | "text" | "list" | "number" | "duration";

/** Describes a flag of a client. */
export interface FlagFacts {
  readonly name: string;
  readonly shorthand: string | undefined;
  readonly kind: ValueKind;
  readonly default: string | undefined;
  /** A default that depends on other flags or on the machine, in words. */
  readonly describedDefault?: string | undefined;
}

/** Describes a command of a client. */
export interface CommandFacts {
  /** Words after the program's name. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Takes the flags that choose nodes, endpoints and talosconfig. */
  readonly talksToNodes: boolean;
  readonly flags: readonly FlagFacts[];
}

/** Reads the recorded facts of upstream's client, `client.txt` beside this file. */
export function readUpstreamClient(): readonly CommandFacts[] {
  return parseClient(readFileSync(join(import.meta.dirname, "client.txt"), "utf8"));
}

/** @throws Error at a line that is neither a command, nor a flag, nor a comment. */
export function parseClient(text: string): readonly CommandFacts[] {
  const commands: (CommandFacts & { readonly flags: FlagFacts[] })[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const flag = /^ {2}(?:-(\w), )?--([\w-]+)(?: <(\w+)>)?(?: = (.+))?$/.exec(line);
    if (flag !== null) {
      const [, shorthand, name = "", kind = "switch", value] = flag;
      commands.at(-1)?.flags.push({ name, shorthand, kind: kind as ValueKind, default: value });
      continue;
    }
    const command = /^([a-z][\w -]*?)(?: \((.+)\))?( nodes)?$/.exec(line);
    if (command === null) throw new Error(`client.txt: cannot read ${JSON.stringify(line)}`);
    const [, name = "", aliases, nodes] = command;
    commands.push({ name, aliases: aliases?.split(", ") ?? [], talksToNodes: nodes !== undefined, flags: [] });
  }
  return commands;
}
