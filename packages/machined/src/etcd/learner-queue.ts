import type { EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import type { EtcdRetryAccess } from "./dependencies.ts";
import type { EtcdClient } from "./etcd-client.ts";
import { openClusterEtcdClient } from "./open-client.ts";
import { listPlaces, takePlace, untilFirst } from "./queue/place.ts";
import { openEtcdSession } from "./queue/session.ts";

/** Queue of the machines that want to join; etcd takes one learner at a time. */
export const learnerQueue = "talos-ts:v1:etcdLearnerQueue";

/** A machine that is gone leaves the queue after this time, in seconds. */
const ttlSeconds = 30;

/** A machine that joins, as it says itself. */
export interface QueuedLearner {
  readonly name: string;
  /** `waiting` for those before it; `learner` while the cluster sends it its data. */
  readonly state: "waiting" | "learner";
  /** Time at which it asked to join, in RFC 3339. */
  readonly since: string;
}

/** The right to add this machine as a learner; disposing gives it to the next one. */
export interface LearnerTurn extends AsyncDisposable {
  /** A client of all members. */
  readonly client: EtcdClient;
  /** Aborts when the turn is lost. */
  readonly ended: AbortSignal;
}

/** Waits for this machine's turn to join. The queue is in etcd, so that every machine sees it. */
export async function takeLearnerTurn(
  machine: EtcdRetryAccess,
  { name }: Pick<EtcdSpecSpec, "name">,
  signal: AbortSignal,
  onWait: (before: number) => void,
): Promise<LearnerTurn> {
  const { clock } = machine;
  await using stack = new AsyncDisposableStack();
  const client = stack.use(await openClusterEtcdClient(machine));
  const session = stack.use(await openEtcdSession(client, { clock, ttlSeconds, signal }));
  const since = new Date(clock.now()).toISOString();
  const write = (state: QueuedLearner["state"]) =>
    takePlace(client, session, learnerQueue, JSON.stringify({ name, state, since } satisfies QueuedLearner));
  const place = await write("waiting");
  await untilFirst(client, learnerQueue, place, session.ended, onWait);
  await write("learner");
  const owned = stack.move();
  return { client, ended: session.ended, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

/** Machines that join, the first one first. */
export async function queuedLearners(
  client: Pick<EtcdClient, "kv">,
  signal: AbortSignal,
): Promise<readonly QueuedLearner[]> {
  const places = await listPlaces(client, learnerQueue, signal);
  return places.map(({ value }) => JSON.parse(value) as QueuedLearner);
}
