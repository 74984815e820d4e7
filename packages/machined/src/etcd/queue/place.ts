import type { EtcdClient } from "../etcd-client.ts";
import type { EtcdSession } from "./session.ts";

/** A place in a queue that lives in etcd. The first place owns what the queue is for. */
export interface Place {
  readonly key: Buffer;
  /** Revision in which the place was taken; lower ones are before it. */
  readonly revision: bigint;
  readonly value: string;
}

/** Each place is a key `<queue>/<lease in hex>`, as in the election and mutex recipes of etcd's own client. */
const keyOf = (queue: string, { lease }: Pick<EtcdSession, "lease">): Buffer =>
  Buffer.from(`${queue}/${lease.toString(16)}`);

/** Takes a place at the end of a queue, or sets the value of the one that the session has already. */
export async function takePlace(
  { kv }: Pick<EtcdClient, "kv">,
  session: EtcdSession,
  queue: string,
  value: string,
): Promise<Place> {
  const key = keyOf(queue, session);
  const put = {
    request: { case: "requestPut" as const, value: { key, value: Buffer.from(value), lease: session.lease } },
  };
  const get = { request: { case: "requestRange" as const, value: { key } } };
  const { header, succeeded, responses } = await kv.txn(
    { compare: [absent(key)], success: [put], failure: [get, put] },
    { signal: session.ended },
  );
  const found = responses[0]?.response;
  const existing = found?.case === "responseRange" ? found.value.kvs[0] : undefined;
  const revision = succeeded ? (header?.revision ?? 0n) : (existing?.createRevision ?? 0n);
  return { key, revision, value };
}

/** Compares true while nobody has written the key. */
function absent(key: Buffer) {
  return { key, target: 1, result: 0, targetUnion: { case: "createRevision" as const, value: 0n } };
}

/** All places of a queue, the first one first. */
export async function listPlaces(
  { kv }: Pick<EtcdClient, "kv">,
  queue: string,
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const { kvs } = await kv.range({ key: Buffer.from(`${queue}/`), rangeEnd: afterQueue(queue) }, { signal });
  return kvs
    .map(({ key, createRevision, value }) => ({
      key: Buffer.from(key),
      revision: createRevision,
      value: Buffer.from(value).toString(),
    }))
    .toSorted((a, b) => (a.revision < b.revision ? -1 : 1));
}

/** End of the range of a queue's keys; `0` follows `/`. */
export function afterQueue(queue: string): Buffer {
  return Buffer.from(`${queue}0`);
}

/**
 * Waits until a place is the first of its queue.
 *
 * @param onWait Called with the number of places before it whenever it has to wait.
 */
export async function untilFirst(
  client: Pick<EtcdClient, "kv" | "watch">,
  queue: string,
  place: Place,
  signal: AbortSignal,
  onWait: (before: number) => void = () => undefined,
): Promise<void> {
  for (;;) {
    const places = await listPlaces(client, queue, signal);
    const before = places.filter(({ revision }) => revision < place.revision);
    const predecessor = before.at(-1);
    if (predecessor === undefined) return;
    onWait(before.length);
    await untilDeleted(client, predecessor, signal);
  }
}

/** A place that was left between the list and the watch is seen, as the watch begins in the past. */
async function untilDeleted({ watch }: Pick<EtcdClient, "watch">, place: Place, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const create = { key: place.key, startRevision: place.revision + 1n, filters: [0] };
  async function* requests() {
    yield { requestUnion: { case: "createRequest" as const, value: create } };
    // The stream stays open until the answer is there.
    await new Promise<void>((resolve) => {
      AbortSignal.any([signal, done.signal]).addEventListener("abort", () => resolve(), { once: true });
    });
  }
  try {
    for await (const { events, canceled } of watch.watch(requests(), { signal })) {
      if (canceled || events.length > 0) return;
    }
  } finally {
    done.abort();
  }
}
