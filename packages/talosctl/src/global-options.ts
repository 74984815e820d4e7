import type { Invocation, OptionDefinition } from "./command.ts";

/** Flags of every command that talks to nodes. */
export interface GlobalOptions {
  readonly talosconfig: string | undefined;
  readonly context: string | undefined;
  readonly cluster: string | undefined;
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
  /** Terms such as `role=worker` by which nodes are chosen, besides those named. */
  readonly on: readonly string[];
  /** Directory of the OpenPGP keys of contexts that authenticate by signature. */
  readonly siderov1KeysDir: string | undefined;
}

export const globalOptionDefinitions: readonly OptionDefinition[] = [
  { flags: "--talosconfig <path>", description: "client configuration (default: $TALOSCONFIG, then ~/.talos/config)" },
  {
    flags: "--context <name>",
    description: "context of the client configuration to use",
    suggest: async (invocation) => (await import("./commands/config/edit-talosconfig.ts")).contextNames(invocation),
  },
  { flags: "-c, --cluster <name>", description: "cluster to connect to, when a proxy serves several" },
  {
    flags: "-e, --endpoints <list>",
    description: "control plane addresses to connect to",
    list: true,
    suggest: suggestAddresses,
  },
  {
    flags: "-n, --nodes <list>",
    description: "nodes to run the command on, by address or name",
    list: true,
    suggest: suggestAddresses,
  },
  {
    flags: "--on <list>",
    description: "choose nodes: role=worker, role=controlplane, name=<name>, label=<key>, label=<key>=<value>",
    list: true,
  },
  {
    flags: "--siderov1-keys-dir <path>",
    description:
      "directory of OpenPGP keys, for contexts with siderov1 authentication (default: $SIDEROV1_KEYS_DIR, then ~/.talos/keys)",
  },
];

/** Only completion needs them: no command pays for loading them. */
const lookups = () => import("./completion/suggest.ts");

async function suggestAddresses(invocation: Invocation): Promise<readonly string[]> {
  return (await lookups()).suggestAddresses(invocation);
}

/** Values given after the command win over those given before it; lists are joined. */
export function readGlobalOptions(
  values: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> = {},
): GlobalOptions {
  const text = (name: string): string | undefined =>
    [values[name], before[name]].find((value): value is string => typeof value === "string");
  const list = (name: string): readonly string[] =>
    [before[name], values[name]].flatMap((value) => (Array.isArray(value) ? (value as string[]) : []));
  return {
    talosconfig: text("talosconfig"),
    context: text("context"),
    cluster: text("cluster"),
    endpoints: list("endpoints"),
    nodes: list("nodes"),
    on: list("on"),
    siderov1KeysDir: text("siderov1KeysDir"),
  };
}
