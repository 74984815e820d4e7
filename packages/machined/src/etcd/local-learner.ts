import type { EtcdRetryAccess } from "./dependencies.ts";
import { openLocalEtcdClient } from "./open-client.ts";
import type { Learner } from "./promote-learner.ts";
import { retryUntilDone } from "./retry.ts";

/**
 * Asks the local etcd, once it answers, whether it is still a learner: a machine that restarts before it was promoted has data
 * and does not join again.
 */
export async function localLearner(
  machine: Pick<EtcdRetryAccess, "root" | "clock">,
  signal: AbortSignal,
): Promise<Learner | undefined> {
  const { clock } = machine;
  const log = (): void => undefined;
  // etcd may be in a crash loop for as long as it wants; the signal ends with the service.
  const options = { clock, signal, timeoutMs: Number.POSITIVE_INFINITY, intervalMs: 1000, log };
  return retryUntilDone(options, async (attempt) => {
    await using client = await openLocalEtcdClient(machine);
    const { isLearner, header } = await client.maintenance.status({}, { signal: attempt });
    return isLearner && header !== undefined ? { id: header.memberId, voterUrls: [] } : undefined;
  });
}
