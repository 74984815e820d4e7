import { describeError, OsError } from "@talos-ts/base";
import type { EtcdRetryAccess } from "./dependencies.ts";
import { etcdEndpoints, openEtcdClient } from "./open-client.ts";
import { retryUntilDone } from "./retry.ts";

const promoteTimeoutMs = 10 * 60_000;
/** A learner of a small cluster catches up within seconds, and the cluster takes no other learner meanwhile: first soon, then rarely. */
const pausesMs = [2000, 2000, 4000, 8000, 15_000] as const;
const attemptTimeoutMs = 30_000;
/** For one call to one member. */
const callTimeoutMs = 5000;

/** Answer of etcd about a member that votes already. */
const votesAlready = "etcdserver: can only promote a learner member";
/** Answer of etcd about a member that was removed. */
const removed = "etcdserver: member not found";

export interface Learner {
  readonly id: bigint;
  /** Client URLs of members that may promote it. */
  readonly voterUrls: readonly string[];
}

/**
 * Makes the learner on this machine a voting member once it has caught up. Only voting members can do that, so each of them is
 * asked in turn, those that were there when this machine joined first.
 *
 * @returns `false` when the cluster has dropped the learner meanwhile
 * @param own `host:port` of this machine's own etcd, which cannot promote itself
 */
export async function promoteLearner(
  machine: EtcdRetryAccess,
  { id, voterUrls }: Learner,
  own: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, logger } = machine;
  const log = (message: string): void => logger.info(message);
  const options = {
    clock,
    signal,
    timeoutMs: promoteTimeoutMs,
    intervalMs: pausesMs,
    jitterMs: 1000,
    attemptTimeoutMs,
    log,
  };
  const promoted = await retryUntilDone(options, async (attempt) => {
    const known = [...voterUrls.map((url) => url.replace(/^https?:\/\//, "")), ...(await etcdEndpoints(machine))];
    const endpoints = [...new Set(known)].filter((endpoint) => !own.includes(endpoint));
    const failures: string[] = [];
    for (const endpoint of endpoints) {
      try {
        await using client = await openEtcdClient(machine, [endpoint]);
        await client.cluster.memberPromote({ ID: id }, { signal: attempt, timeoutMs: callTimeoutMs });
        return true;
      } catch (err) {
        const { message } = OsError.from(err);
        if (message === votesAlready) return true;
        if (message === removed) return false;
        failures.push(`${endpoint}: ${describeError(err)}`);
      }
    }
    throw new OsError({
      kind: "unavailable",
      code: "etcd/not-promoted",
      message: failures.length === 0 ? "no endpoints" : failures.join("; "),
    });
  });
  log(promoted ? "successfully promoted etcd member" : "the cluster has dropped this learner, it joins anew");
  return promoted;
}
