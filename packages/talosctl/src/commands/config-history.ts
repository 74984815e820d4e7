import { OsError } from "@talos-ts/base";
import { openResources } from "@talos-ts/machinery/client/resources";
import { diffConfigs, loadConfig } from "@talos-ts/machinery/config";
import { MachineConfigHistory, type MachineConfigHistorySpec } from "@talos-ts/machinery/resources/config";
import type { CommandDefinition, Invocation } from "../command.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { readMachineConfig } from "../session/machine-config.ts";
import { openSession, type Session } from "../session/session.ts";
import { applyOptions, reportApplied } from "./apply-options.ts";
import { applyToNode } from "./apply-to-node.ts";

interface Entry {
  readonly node: string;
  readonly number: number;
  readonly readySince: string;
  readonly digest: string;
  /** True when it is the one in effect. */
  readonly active: boolean;
  /** Lines that differ from the one before, as `+3 -1`. */
  readonly changes: string;
}

const columns: readonly Column<Entry>[] = [
  ["NODE", ({ node }) => node],
  ["NUMBER", ({ number }) => String(number)],
  ["READY SINCE", ({ readySince }) => readySince],
  ["DIGEST", ({ digest }) => digest],
  ["ACTIVE", ({ active }) => String(active)],
  ["CHANGES", ({ changes }) => changes],
];

const actions: Readonly<Record<string, (session: Session, invocation: Invocation) => Promise<void>>> = {
  list,
  show,
  diff,
  restore,
};

export const command: CommandDefinition = {
  description:
    "Each node keeps the last five configurations with which it was ready. `show` prints one with its secrets, `diff` compares it with the one in effect, `restore` applies it again.",
  arguments: [
    { spec: "[action]", description: "list (default), show, diff or restore", choices: Object.keys(actions) },
    { spec: "[number]", description: "number of the configuration" },
  ],
  options: [recordFormatOption, ...applyOptions],
  examples: [
    "talosctl config-history",
    "talosctl config-history diff 3",
    "talosctl config-history restore 3 --nodes 10.5.0.2",
  ],
  async run(invocation) {
    const name = invocation.args[0] ?? "list";
    const action = actions[name];
    if (action === undefined) throw badAction(name);
    await using session = await openSession(invocation);
    await action(session, invocation);
  },
};

async function list(session: Session, invocation: Invocation): Promise<void> {
  const entries: Entry[] = [];
  for (const node of session.targets) {
    const current = await readMachineConfig(session, node);
    let before: string | undefined;
    for (const { number, config, readySince, digest } of await readHistory(session, node)) {
      const changes = before === undefined ? "" : countChanges(before, config);
      entries.push({
        node: node ?? session.defaultNode,
        number,
        readySince,
        digest,
        active: config === current,
        changes,
      });
      before = config;
    }
  }
  await printRecords(invocation, columns, entries);
}

/** One configuration as it is; several as documents of one stream, each below the name of its node. */
async function show(session: Session, invocation: Invocation): Promise<void> {
  for (const [at, node] of session.targets.entries()) {
    const config = await readEntry(session, invocation, node);
    const title = session.targets.length === 1 ? "" : `${at === 0 ? "" : "---\n"}# ${node ?? session.defaultNode}\n`;
    invocation.io.out(`${title}${config}`);
  }
}

async function diff(session: Session, invocation: Invocation): Promise<void> {
  for (const node of session.targets) {
    const entry = await readEntry(session, invocation, node);
    const current = await readMachineConfig(session, node);
    const text = diffConfigs(loadConfig(current), loadConfig(entry), { redact: "******" });
    const name = node ?? session.defaultNode;
    const titles = `--- ${name} in effect\n+++ ${name} number ${invocation.args[1] ?? ""}\n`;
    if (text === "") invocation.io.err(`${name}: No changes.\n`);
    else invocation.io.out(text.replace("--- a\n+++ b\n", titles));
  }
}

async function restore(session: Session, invocation: Invocation): Promise<void> {
  for (const node of session.targets) {
    const after = await readEntry(session, invocation, node);
    const before = await readMachineConfig(session, node);
    if (after === before) {
      invocation.io.err(`${node ?? session.defaultNode}: Apply was skipped: no changes detected.\n`);
      continue;
    }
    reportApplied(session, invocation, await applyToNode(session, invocation, { node, before, after }));
  }
}

type History = readonly (MachineConfigHistorySpec & { readonly number: number })[];

async function readHistory(session: Session, node: string | undefined): Promise<History> {
  const resources = openResources(session.connection, node, [MachineConfigHistory]);
  const entries = await resources.list(MachineConfigHistory);
  return entries
    .map(({ metadata, spec }) => Object.assign({ number: Number(metadata.id) }, spec))
    .toSorted((a, b) => a.number - b.number);
}

async function readEntry(session: Session, { args }: Invocation, node: string | undefined): Promise<string> {
  const history = await readHistory(session, node);
  const entry = history.find(({ number }) => String(number) === args[1]);
  if (entry !== undefined) return entry.config;
  const numbers = history.map(({ number }) => number).join(", ");
  throw new OsError({
    kind: "not-found",
    code: "cli/no-such-configuration",
    message: `${node ?? session.defaultNode} has no configuration number ${JSON.stringify(args[1] ?? "")}; it keeps ${numbers === "" ? "none" : numbers}`,
    next: "talosctl config-history",
  });
}

function countChanges(before: string, after: string): string {
  const lines = diffConfigs(loadConfig(before), loadConfig(after)).split("\n");
  const count = (sign: RegExp): string => String(lines.filter((line) => sign.test(line)).length);
  return `+${count(/^\+(?!\+\+ )/)} -${count(/^-(?!-- )/)}`;
}

function badAction(action: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "cli/bad-request",
    message: `unknown action ${JSON.stringify(action)}, expected one of: ${Object.keys(actions).join(", ")}`,
    next: "talosctl config-history --help",
  });
}
