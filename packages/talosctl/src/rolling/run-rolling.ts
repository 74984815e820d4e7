import { OsError, systemClock } from "@talos-ts/base";
import type { Invocation } from "../command.ts";
import { runOperation } from "../operation/run-operation.ts";
import { sameCommand } from "../operation/same-command.ts";
import { parseDuration } from "../output/go-duration.ts";
import type { Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";
import { openClusterState, type ClusterState } from "./cluster-state.ts";
import { formerOperation, keptOperations, type KeptOperation } from "./former-operation.ts";
import { keeperOf } from "./keeper.ts";
import { rollingSteps } from "./rolling-steps.ts";
import type { RollingContext, RollingWork } from "./rolling-work.ts";

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
  const log = (line: string): void => invocation.io.err(`${line}\n`);
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
  const { steps, current } = rollingSteps(work, context, targets, former);
  const timeoutMs = targets.length * parseDuration(textOption(invocation, "timeout") ?? "30m");
  const command = sameCommand(invocation, targets);
  const plan = {
    kind,
    title,
    steps,
    timeoutMs,
    command,
    resumes: true,
    ...(former !== undefined && { id: former.id }),
  };
  const node = keeperOf(work, cluster, targets, former, current);
  const { connection } = session;
  await runOperation(plan, { connection: () => connection, node, signal, stop, tell: log });
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
