import { OsError, systemClock, type Clock } from "@talos-ts/base";
import type { Invocation } from "../command.ts";
import { runOperation } from "../operation/run-operation.ts";
import type { Step } from "../operation/step.ts";
import { parseDuration } from "../output/go-duration.ts";
import type { Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";
import { openClusterState, type ClusterState } from "./cluster-state.ts";
import { formerOperation, keptOperations, type KeptOperation } from "./former-operation.ts";

/** What the work on one node has at hand. */
export interface RollingContext {
  readonly session: Session;
  readonly invocation: Invocation;
  readonly cluster: ClusterState;
  readonly tell: (node: string, text: string) => void;
  readonly clock: Clock;
  /** Aborts on Ctrl-C and at the deadline. */
  readonly signal: AbortSignal;
}

/** Work that is done to one node after the other. */
export interface RollingWork {
  /** Name of the command. */
  readonly kind: "reboot" | "reset";
  /** True when nodes lose what they keep, records of operations too. */
  readonly erases: boolean;
  /** Does it to one node, and resolves when the node has it behind itself. */
  run(context: RollingContext, node: string): Promise<void>;
  /**
   * Finds out whether a node has it behind itself, after a call that was interrupted during its turn; waits for one that is in the
   * middle of it.
   *
   * @param sinceMs When the interrupted call began, in ms since the epoch.
   */
  finish(context: RollingContext, node: string, sinceMs: number): Promise<boolean>;
}

/**
 * Does work to the nodes of a session one after the other, as an operation that a control plane keeps. A node has its turn only while
 * the whole cluster is healthy, and the next one when it is healthy again. The same call continues one that was interrupted.
 */
export async function runRolling(
  session: Session,
  invocation: Invocation,
  work: RollingWork,
  tell: (node: string, text: string) => void,
): Promise<void> {
  const { kind } = work;
  const stop = new AbortController();
  const signal = AbortSignal.any([invocation.signal, stop.signal]);
  const log = (line: string): void => invocation.io.out(`${line}\n`);
  const clock = systemClock;
  const targets = namedNodes(session, kind);
  const cluster = await openClusterState({ session, clock, log });
  const title = targets.join(", ");
  const kept = await keptOperations(session, cluster.nodes.controlPlanes);
  const former = formerOperation(kept, { kind, title }, clock);
  const behind = former?.done ?? 0;
  checkMembers(cluster, targets.slice(behind), kind, former);
  if (former !== undefined)
    log(`continuing ${kind} ${former.id}, ${String(behind)} of ${String(targets.length)} nodes done`);
  const context: RollingContext = { session, invocation, cluster, tell, clock, signal };
  let current = "";
  const steps = targets.map((node, index): Step => ({
    name: `${kind} ${node}`,
    run: async () => {
      if (index < behind) return;
      current = node;
      const interrupted = former !== undefined && index === behind;
      if (interrupted && (await work.finish(context, node, Date.parse(former.started)))) tell(node, "was done before");
      else await oneNode(work, context, node);
      await cluster.untilHealthy(signal);
    },
  }));
  const timeoutMs = targets.length * parseDuration(textOption(invocation, "timeout") ?? "30m");
  const command = `talosctl ${kind} --rolling --nodes ${targets.join(",")}`;
  const plan = { kind, title, steps, timeoutMs, command, ...(former !== undefined && { id: former.id }) };
  const node = keeperOf(work, cluster, targets, former, () => current);
  const { connection } = session;
  await runOperation(plan, { connection: () => connection, node, signal, stop, tell: log }).catch((err: unknown) => {
    if (invocation.signal.aborted) invocation.io.err(`interrupted; run the same command again to go on: ${command}\n`);
    throw err;
  });
}

async function oneNode(work: RollingWork, context: RollingContext, node: string): Promise<void> {
  const { cluster, signal, tell } = context;
  await cluster.requireHealthy(work.kind, node, signal);
  const others = cluster.nodes.controlPlanes.filter((each) => each !== node);
  if (cluster.isControlPlane(node)) {
    if (work.erases && others.length === 0) throw lastControlPlane(node);
    if (!work.erases && others.length < 2) tell(node, "etcd has no quorum while this control plane is away");
  }
  await work.run(context, node);
}

/**
 * The control plane that keeps the operation: that of the former call, else one that the work leaves alone, else the last in turn.
 * Where nodes are erased, the record moves to another one at the turn of its keeper, and stays there.
 */
function keeperOf(
  { erases }: RollingWork,
  cluster: ClusterState,
  targets: readonly string[],
  former: KeptOperation | undefined,
  current: () => string,
): () => string | undefined {
  const present = cluster.nodes.controlPlanes;
  let keeper =
    former?.keeper ??
    present.find((node) => !targets.includes(node)) ??
    targets.findLast((node) => present.includes(node));
  return () => {
    const { controlPlanes } = cluster.nodes;
    const goes = (node: string): boolean => erases && node === current();
    if (keeper === undefined || !controlPlanes.includes(keeper) || goes(keeper)) {
      keeper = controlPlanes.find((node) => !goes(node));
    }
    return keeper;
  };
}

function namedNodes({ nodes }: Session, kind: string): readonly string[] {
  if (nodes.length > 0) return [...new Set(nodes)];
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/no-nodes",
    message: `Cannot ${kind} node by node: no nodes are named`,
    next: `talosctl ${kind} --rolling --nodes <address>,<address>`,
  });
}

function checkMembers(
  cluster: ClusterState,
  targets: readonly string[],
  kind: string,
  former: KeptOperation | undefined,
): void {
  const known = [...cluster.nodes.controlPlanes, ...cluster.nodes.workers];
  // The one whose turn was interrupted may have left the cluster since.
  const strangers = targets.slice(former === undefined ? 0 : 1).filter((node) => !known.includes(node));
  if (strangers.length === 0) return;
  throw new OsError({
    kind: "not-found",
    code: "rolling/no-member",
    message: `Cannot ${kind} ${strangers.join(", ")} node by node: expected members of the cluster, which are ${known.join(", ")}`,
    next: "talosctl get members",
  });
}

function lastControlPlane(node: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "rolling/last-control-plane",
    message: `Cannot reset ${node}: it is the last control plane, the cluster would end with it`,
    next: `talosctl reset --nodes ${node} --graceful=false`,
  });
}

/** @throws {OsError} `cli/bad-request` when flags contradict work that goes node by node */
export function checkRollingFlags(
  invocation: Invocation,
  kind: string,
  refused: Readonly<Record<string, boolean>>,
): void {
  const found = { "--wait=false": !flag(invocation, "wait"), ...refused };
  const [wrong] = Object.entries(found).flatMap(([name, given]) => (given ? [name] : []));
  if (wrong === undefined) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/bad-request",
    message: `cannot use --rolling and ${wrong} together: every node is waited for before the next one`,
    next: `talosctl ${kind} --rolling`,
  });
}
