import type { CommandFacts, FlagFacts } from "./read-client.ts";

/** Describes one thing that is not as upstream has it. */
export interface ClientDifference {
  readonly command: string;
  /** Absent when it concerns the command itself. */
  readonly flag?: string;
  readonly what: "absent" | "alias" | "nodes" | "shorthand" | "value" | "default";
  readonly upstream: string;
  readonly ours: string;
}

/**
 * Compares what upstream's client offers with ours. What only ours has is no difference: scripts written for
 * upstream do not meet it.
 */
export function compareClients(
  upstream: readonly CommandFacts[],
  own: readonly CommandFacts[],
): readonly ClientDifference[] {
  const byName = new Map(own.map((command) => [command.name, command]));
  return upstream.flatMap((command) => {
    const ours = byName.get(command.name);
    if (ours === undefined) return [{ command: command.name, what: "absent" as const, upstream: "", ours: "" }];
    const flags = command.flags.flatMap((flag) => [...compareFlag(command.name, flag, ours)]);
    return [...compareCommand(command, ours), ...flags];
  });
}

function* compareCommand(upstream: CommandFacts, own: CommandFacts): Generator<ClientDifference> {
  const command = upstream.name;
  for (const alias of upstream.aliases)
    if (!own.aliases.includes(alias)) yield { command, what: "alias", upstream: alias, ours: own.aliases.join(", ") };
  if (upstream.talksToNodes && !own.talksToNodes) yield { command, what: "nodes", upstream: "yes", ours: "no" };
}

function* compareFlag(command: string, upstream: FlagFacts, { flags }: CommandFacts): Generator<ClientDifference> {
  const own = flags.find(({ name }) => name === upstream.name);
  const place = { command, flag: upstream.name };
  if (own === undefined) {
    yield { ...place, what: "absent", upstream: "", ours: "" };
    return;
  }
  const differ = (what: ClientDifference["what"], theirs: string | undefined, ours: string | undefined) => ({
    ...place,
    what,
    upstream: theirs ?? "",
    ours: ours ?? "",
  });
  if (upstream.shorthand !== undefined && upstream.shorthand !== own.shorthand)
    yield differ("shorthand", upstream.shorthand, own.shorthand);
  if (!takes(own, upstream)) yield differ("value", upstream.kind, own.kind);
  const value = ownDefault(own, upstream);
  if (plain(upstream.default) !== plain(value)) yield differ("default", upstream.default, value);
}

/** Reports whether a script that gives upstream's value is understood: one value is a list of one. */
function takes(own: FlagFacts, upstream: FlagFacts): boolean {
  if (own.kind === "switch" || upstream.kind === "switch") return own.kind === upstream.kind;
  return own.kind === "list" || upstream.kind !== "list";
}

/** A default that ours has in words alone is none, where upstream has none. */
function ownDefault({ default: value, describedDefault }: FlagFacts, upstream: FlagFacts): string | undefined {
  return value ?? (upstream.default === undefined ? undefined : describedDefault);
}

/** Writes defaults that mean the same in the same way: `5m0s` and `5m`, `2.0GiB` and `2GiB`, `v1.2` and `1.2`, none and `0`. */
function plain(value: string | undefined): string {
  if (value === undefined || value === "0") return "";
  return value
    .replaceAll(/(?<=[hm])0[ms]/g, "")
    .replace(/^(\d+)\.0(?!\d|\.)/, "$1")
    .replace(/^v(?=\d+\.)/, "");
}
