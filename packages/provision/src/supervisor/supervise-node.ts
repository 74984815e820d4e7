import { createBackoff, describeError, isCode, type Clock, type Log } from "@talos-ts/base";
import { watchExit, type ExitStatus } from "@talos-ts/linux";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import type { Provisioner } from "../provisioner.ts";
import { deathReason } from "./death-reason.ts";

/** Interval at which a node that does not run is looked at, in ms: somebody may have started it. */
const idleMs = 2000;
/** A node that ran this long before it died is started again without delay, in ms. */
const steadyMs = 120_000;

/** Parts of a provisioner that supervision needs. */
export type SupervisedProvisioner = Pick<
  Provisioner,
  "nodeStatus" | "restartNode" | "wasShutDown" | "deathEvidence" | "lastDeath" | "recordDeath"
>;

export interface SuperviseOptions {
  readonly provisioner: SupervisedProvisioner;
  /** Takes the lock of the cluster; waits for whoever has it. */
  readonly lock: () => Promise<AsyncDisposable>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Resolves when a process has ended. @default the kernel tells */
  readonly exit?: (pid: number, signal: AbortSignal) => Promise<ExitStatus | undefined>;
}

/**
 * Starts a node again whenever its first process ended without a shutdown, and keeps the reason; after ever longer pauses
 * (1 s to 60 s) when it keeps dying. A node that was shut down, reset or stopped stays down.
 *
 * Ends, by rejecting, when the signal aborts.
 */
export async function superviseNode(plan: ClusterPlan, node: NodePlan, options: SuperviseOptions): Promise<never> {
  const { provisioner, clock, signal, log, exit = processExit } = options;
  const backoff = createBackoff({ initialMs: 1000, maxMs: 60_000, factor: 2, jitter: 0 });
  let status: ExitStatus | undefined;
  const look = async (): Promise<void> => {
    const { state, pid } = await provisioner.nodeStatus(plan, node);
    if (state === "running") {
      const began = clock.monotonic();
      status = await exit(pid, signal);
      if (clock.monotonic() - began >= steadyMs) backoff.reset();
      return;
    }
    if (state !== "stopped" || (await provisioner.wasShutDown(plan, node))) return await clock.sleep(idleMs, signal);
    const reason = deathReason(status, await provisioner.deathEvidence(plan, node));
    status = undefined;
    await bringBack(plan, node, reason, backoff.next(), options);
  };
  for (;;) {
    signal.throwIfAborted();
    await look().catch(async (err: unknown) => {
      signal.throwIfAborted();
      log(`cannot supervise ${node.name}, trying again: ${describeError(err)}`);
      await clock.sleep(idleMs, signal);
    });
  }
}

async function bringBack(
  plan: ClusterPlan,
  node: NodePlan,
  reason: string,
  delayMs: number,
  { provisioner, clock, signal, log, lock }: SuperviseOptions,
): Promise<void> {
  const now = clock.now();
  const count = ((await provisioner.lastDeath(plan, node))?.count ?? 0) + 1;
  const restartAt = new Date(now + delayMs).toISOString();
  await provisioner.recordDeath(plan, node, { time: new Date(now).toISOString(), reason, count, restartAt });
  log(`${node.name} ended without a shutdown: ${reason}; starts again in ${String(Math.round(delayMs / 1000))} s`);
  await clock.sleep(delayMs, signal);
  await using _lock = await lock();
  // Whoever had the lock may have started, stopped or removed the node.
  if ((await provisioner.nodeStatus(plan, node)).state !== "stopped") return;
  await provisioner.restartNode(plan, node);
  log(`${node.name} started again`);
}

async function processExit(pid: number, signal: AbortSignal): Promise<ExitStatus | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<ExitStatus | undefined>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    using _watch = watchExit(pid, resolve);
    return await promise;
  } catch (err) {
    signal.throwIfAborted();
    if (isCode(err, "process/esrch")) return undefined;
    throw err;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
