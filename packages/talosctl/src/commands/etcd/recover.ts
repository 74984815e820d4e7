import { describeError, formatTable, OsError, systemClock } from "@talos-ts/base";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { confirm } from "../../confirm.ts";
import { assess, type Assessment } from "../../etcd-recover/assess.ts";
import { chooseSurvivor } from "../../etcd-recover/choose-survivor.ts";
import { describeChoice } from "../../etcd-recover/describe-choice.ts";
import { inspectNode, isReadable, reportOf, type MemberReport } from "../../etcd-recover/member-report.ts";
import { printSurvey } from "../../etcd-recover/print-survey.ts";
import { rehearse, rejoinSteps, restoreSteps, type RecoveryContext } from "../../etcd-recover/recover-steps.ts";
import { runOperation } from "../../operation/run-operation.ts";
import { sameCommand } from "../../operation/same-command.ts";
import type { Step } from "../../operation/step.ts";
import { recordFormatOption } from "../../output/records.ts";
import { clusterNodes } from "../../session/cluster-nodes.ts";
import { openSession, type Session } from "../../session/session.ts";
import { flag, textOption } from "../../values.ts";

export const command: CommandDefinition = {
  description:
    "Recovers etcd after its quorum is lost: reads member id, term, revision and hash of every member, running or stopped, proposes the one to go on with and says what would be lost, asks, begins a new cluster with its data and makes the other nodes join it. Refuses while there is quorum; nodes whose member is broken then are made to join anew. Without --nodes of several control planes, all that the first node knows are read. After Ctrl-C or a failure, run the same command again.",
  options: [
    { flags: "--survivor <node>", description: "go on with the data of this node (default: the best)" },
    { flags: "--rehearse", description: "try the recovery in a throw-away etcd on a copy of the data, change nothing" },
    { flags: "--dry-run", description: "read the members, show the proposal, change nothing" },
    { flags: "-y, --yes", description: "do not ask" },
    recordFormatOption,
  ],
  examples: [
    "talosctl etcd recover --dry-run",
    "talosctl etcd recover --nodes 10.5.0.2,10.5.0.3,10.5.0.4 --rehearse",
    "talosctl etcd recover --survivor 10.5.0.3 --yes",
  ],
  async run(invocation) {
    const { io, signal } = invocation;
    await using session = await openSession(invocation);
    const { connection } = session;
    const nodes = await controlPlanes(session);
    const reports = await Promise.all(nodes.map((node) => inspectNode(connection, node, signal)));
    const wanted = textOption(invocation, "survivor");
    // For people, all but the survey itself goes to the standard error, so that -o json can be read by programs.
    const log = (line: string): void => io.err(`${line}\n`);
    const stop = new AbortController();
    const working = AbortSignal.any([signal, stop.signal]);
    const context: RecoveryContext = { connection, log, clock: systemClock, signal: working, stop };
    if (flag(invocation, "rehearse")) {
      await printSurvey(invocation, reports, undefined);
      await runRehearsal(context, reports, wanted);
      return;
    }
    const found = await assessed(invocation, reports, wanted);
    await printSurvey(invocation, reports, found);
    const dryRun = flag(invocation, "dryRun");
    switch (found.kind) {
      case "nothing-to-read":
        throw nothingToRead(reports);
      case "quorum":
        for (const note of found.notes) log(note);
        if (!dryRun) throw nothingToRecover(found.notes.length > 0);
        log(nothingToRecover(found.notes.length > 0).message);
        return;
      case "rejoin": {
        for (const note of found.notes) log(note);
        for (const { node, reason } of found.rejoin) log(`${node}: ${reason}`);
        if (dryRun) return;
        const discarded = found.rejoin.filter(({ discardData }) => discardData).map(({ node }) => node);
        const cost = discarded.length > 0 ? `, and delete the data of etcd on ${discarded.join(", ")}` : "";
        const all = found.rejoin.map(({ node }) => node).join(", ");
        await ask(invocation, nodes, `The cluster has quorum. Make ${all} join it${cost}?`);
        await run(invocation, context, nodes, found.by, `${all} join`, rejoinSteps(context, found.by, found.rejoin));
        return;
      }
      case "restore": {
        const { survivor } = found;
        const others = reports.filter((report) => report !== survivor);
        for (const line of describeChoice(found)) log(line);
        for (const line of warnings(others)) log(`WARNING: ${line}`);
        if (dryRun) return;
        const deleted = others.filter(({ state }) => state !== "unreachable").map(({ node }) => node);
        const cost = deleted.length > 0 ? `, and delete the data of etcd on ${deleted.join(", ")}` : "";
        await ask(invocation, nodes, `Begin a new cluster with the data of ${survivor.node}${cost}?`);
        const title = `from ${survivor.node}, revision ${String(survivor.revision)}`;
        await run(invocation, context, nodes, survivor.node, title, restoreSteps(context, survivor, others));
        return;
      }
    }
  },
};

/** The nodes of the command if there are several, else all control planes that the one knows. */
async function controlPlanes(session: Session): Promise<readonly string[]> {
  const { nodes } = session;
  if (nodes.length > 1) return nodes;
  const found = await clusterNodes(session, { controlPlanes: [], workers: [] }).catch((err: unknown) => {
    session.warn(`only ${nodes.join(", ")} is read, as its members cannot be listed: ${describeError(err)}`);
    return undefined;
  });
  return [...new Set([...nodes, ...(found?.controlPlanes ?? [])])];
}

async function assessed(
  invocation: Invocation,
  reports: readonly MemberReport[],
  wanted: string | undefined,
): Promise<Assessment> {
  try {
    return assess(reports, wanted);
  } catch (err) {
    await printSurvey(invocation, reports, undefined);
    throw err;
  }
}

/** Time for each step on the average; single waits have shorter ones. */
const stepMs = 10 * 60_000;

async function run(
  invocation: Invocation,
  context: RecoveryContext,
  nodes: readonly string[],
  node: string,
  title: string,
  steps: readonly Step[],
): Promise<void> {
  const { signal } = invocation;
  const { connection, log, stop } = context;
  const command = sameCommand(invocation, nodes);
  const plan = { kind: "etcd recover", title, steps, timeoutMs: steps.length * stepMs, command, resumes: true };
  await runOperation(plan, { connection: () => connection, node, signal, stop, tell: log });
  log("etcd is recovered, see talosctl etcd members");
}

async function runRehearsal(
  context: RecoveryContext,
  reports: readonly MemberReport[],
  wanted: string | undefined,
): Promise<void> {
  const { log } = context;
  if (!reports.some(isReadable)) throw nothingToRead(reports);
  const { survivor } = chooseSurvivor(reports, wanted);
  const message = await rehearse(context, survivor.node);
  if (message === undefined) return;
  const found = reportOf(survivor.node, message);
  log(
    `rehearsed on ${survivor.node}: a throw-away etcd with a copy of its data has quorum by itself and took a write; nothing was changed`,
  );
  const facts: readonly (readonly [string, (report: MemberReport) => number | string])[] = [
    ["revision", ({ revision }) => revision],
    ["keys", ({ keys }) => keys],
    ["hash", ({ hash }) => hash],
  ];
  log(
    formatTable([
      ["", "MEMBER", "COPY"],
      ...facts.map(([name, of]) => [name, String(of(survivor)), String(of(found))]),
    ]).trimEnd(),
  );
  log(`log entries that are not known as committed, and would be lost: ${String(found.uncommittedEntries)}`);
  if (survivor.quorum || (survivor.revision === found.revision && survivor.hash === found.hash)) return;
  throw new OsError({
    kind: "data-loss",
    code: "etcd/rehearsal-differs",
    message: `The copy of the data of ${survivor.node} differs from what its member says, although nobody can write`,
    next: `talosctl --nodes ${survivor.node} logs etcd-recovery`,
  });
}

async function ask(invocation: Invocation, nodes: readonly string[], question: string): Promise<void> {
  if (flag(invocation, "yes")) return;
  const { io, signal } = invocation;
  const unasked = `${sameCommand(invocation, nodes)} --yes`;
  if (await confirm(io, { question, unasked, signal })) return;
  throw new OsError({
    kind: "failed-precondition",
    code: "etcd/not-confirmed",
    message: `Nothing was changed. ${question}`,
    next: unasked,
  });
}

/** Nodes that nobody can stop can come back with the former cluster. */
function warnings(others: readonly MemberReport[]): readonly string[] {
  return others
    .filter(({ state }) => state === "unreachable")
    .map(
      ({ node, error }) =>
        `${node} does not answer (${error}): when it comes back with its data it must not find others of the former cluster; run talosctl etcd recover again then`,
    );
}

function nothingToRecover(hasNotes: boolean): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/nothing-to-recover",
    message: hasNotes
      ? "etcd has quorum, there is nothing to recover; the nodes above need something else"
      : "etcd has quorum and all members are well, there is nothing to recover",
    next: "talosctl etcd members",
  });
}

function nothingToRead(reports: readonly MemberReport[]): OsError {
  const each = reports.map(({ node, state, error }) => `${node} is ${state}${error === "" ? "" : ` (${error})`}`);
  return new OsError({
    kind: "data-loss",
    code: "etcd/no-survivor",
    message: `No member has data that can be read: ${each.join(", ")}`,
    next: "talosctl bootstrap --recover-from <snapshot>",
  });
}
