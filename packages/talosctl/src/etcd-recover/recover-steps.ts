import { describeError, OsError, type Clock } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { parseMemberId } from "@talos-ts/machinery/etcd";
import { EtcdRecoveryService } from "@talos-ts/proto/recovery/recovery";
import type { Step } from "../operation/step.ts";
import type { Rejoining } from "./assess.ts";
import { inspectNode, type MemberReport } from "./member-report.ts";

/** How steps reach nodes and people. */
export interface RecoveryContext {
  readonly connection: ApiConnection;
  readonly log: (line: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Aborted when the operation ends early; the signal follows. */
  readonly stop: AbortController;
}

/** Time for one call, in ms: data is copied and restored in it. */
const callTimeoutMs = 20 * 60_000;
/** Time until a member answers through consensus, in ms. */
const quorumTimeoutMs = 10 * 60_000;
const pollMs = 2000;

/**
 * Steps that begin a new cluster on the survivor and make the other nodes members of it. Others are stopped first, so that they cannot
 * form the former cluster again, and lose their data only once the new cluster has quorum.
 */
export function restoreSteps(
  context: RecoveryContext,
  survivor: MemberReport,
  others: readonly MemberReport[],
): readonly Step[] {
  const { connection, log, signal } = context;
  const present = others.filter(({ state }) => state !== "unreachable");
  const call = { signal, timeoutMs: callTimeoutMs };
  return [
    ...present.map(({ node }) => ({
      name: `stop etcd on ${node}`,
      run: async () => {
        await connection.service(EtcdRecoveryService, { node }).stop({}, call);
        log(`${node}: etcd is stopped`);
      },
    })),
    {
      name: `new cluster on ${survivor.node}`,
      async run() {
        const request = { memberId: parseMemberId(survivor.member), revision: BigInt(survivor.revision) };
        const { messages } = await connection
          .service(EtcdRecoveryService, { node: survivor.node })
          .restore(request, call);
        const { revision = 0n, keys = 0n, snapshot = "" } = messages[0] ?? {};
        log(
          `${survivor.node}: begins with revision ${String(revision)}, ${String(keys)} keys; ${snapshot} is kept there`,
        );
        await untilQuorum(context, survivor.node);
      },
    },
    ...present.map(({ node }) => ({
      name: `${node} joins`,
      run: () => join(context, survivor.node, { node, discardData: true, reason: "" }),
    })),
  ];
}

/** Steps that make nodes members of the cluster that a node belongs to. */
export function rejoinSteps(context: RecoveryContext, by: string, rejoin: readonly Rejoining[]): readonly Step[] {
  return rejoin.map((each) => ({ name: `${each.node} joins`, run: () => join(context, by, each) }));
}

async function join(context: RecoveryContext, by: string, { node, discardData }: Rejoining): Promise<void> {
  const { connection, signal, log } = context;
  const { cluster } = await untilQuorum(context, by);
  const request = { clusterId: parseMemberId(cluster), discardData };
  await connection.service(EtcdRecoveryService, { node }).rejoin(request, { signal, timeoutMs: callTimeoutMs });
  log(`${node}: ${discardData ? "its data is deleted, it joins as a new member" : "starts with its data"}`);
  await untilQuorum(context, node);
}

/** Waits until the member of a node answers through consensus; tells what the service says meanwhile. */
async function untilQuorum(context: RecoveryContext, node: string): Promise<MemberReport> {
  const { connection, log, clock, signal } = context;
  const until = clock.monotonic() + quorumTimeoutMs;
  let told = "";
  for (;;) {
    const report = await inspectNode(connection, node, signal, true);
    if (report.quorum) {
      if (told !== "") log(`${node}: has quorum, revision ${String(report.revision)}`);
      return report;
    }
    const now = report.error === "" ? report.service : report.error;
    if (now !== told) log(`${node}: ${now}`);
    told = now;
    if (report.service.startsWith("failed: ") || clock.monotonic() > until) throw noQuorum(node, now);
    await clock.sleep(pollMs, signal);
  }
}

function noQuorum(node: string, state: string): OsError {
  return new OsError({
    kind: "unavailable",
    code: "etcd/no-quorum",
    message: `The etcd of ${node} has no quorum: ${state}`,
    next: `talosctl --nodes ${node} service etcd; then talosctl etcd recover, which goes on`,
  });
}

/** Starts the rehearsal on a node. */
export async function rehearse({ connection, signal }: RecoveryContext, node: string) {
  try {
    const { messages } = await connection
      .service(EtcdRecoveryService, { node })
      .rehearse({}, { signal, timeoutMs: callTimeoutMs });
    return messages[0];
  } catch (err) {
    const { kind, code, next } = OsError.from(err);
    throw new OsError({
      kind,
      code,
      message: `The rehearsal on ${node} failed, nothing was changed: ${describeError(err)}`,
      next: next ?? `talosctl --nodes ${node} logs etcd-recovery`,
      cause: err,
    });
  }
}
