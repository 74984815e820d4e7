import type { EtcdClusterAccess } from "./dependencies.ts";
import { learnerQueue, queuedLearners, type QueuedLearner } from "./learner-queue.ts";
import { openClusterEtcdClient } from "./open-client.ts";
import { afterQueue } from "./queue/place.ts";

/** Gives the queue of machines that join, now and after each change, until etcd does not answer any more. */
export async function* followLearners(
  machine: EtcdClusterAccess,
  signal: AbortSignal,
): AsyncGenerator<readonly QueuedLearner[]> {
  await using client = await openClusterEtcdClient(machine);
  const done = new AbortController();
  const until = AbortSignal.any([signal, done.signal]);
  const create = { key: Buffer.from(`${learnerQueue}/`), rangeEnd: afterQueue(learnerQueue) };
  async function* requests() {
    yield { requestUnion: { case: "createRequest" as const, value: create } };
    await new Promise<void>((resolve) => {
      if (until.aborted) resolve();
      until.addEventListener("abort", () => resolve(), { once: true });
    });
  }
  try {
    // The first answer says that the watch is there: what is read after it misses nothing.
    for await (const { canceled } of client.watch.watch(requests(), { signal })) {
      if (canceled) return;
      yield await queuedLearners(client, signal);
    }
  } finally {
    done.abort();
  }
}
