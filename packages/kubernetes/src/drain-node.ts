import { describeError, isKind, OsError, type Clock } from "@talos-ts/base";
import type { KubernetesClient } from "./client.ts";
import { kinds } from "./kinds.ts";
import type { NodeObject, PodObject } from "./object.ts";

/** A node, and the client to change it with. */
export interface NodeOptions {
  readonly client: KubernetesClient;
  /** Name of the Node object. */
  readonly node: string;
  readonly signal: AbortSignal;
}

/** Settings of `drainNode`. */
export interface DrainOptions extends NodeOptions {
  readonly clock: Clock;
  /** Receives a line for each eviction, and for each pod that is left. */
  readonly log: (message: string) => void;
}

/** Time between two looks at a pod that is to go, in ms. */
const pauseMs = 1000;

/**
 * Marks a node unschedulable, as `kubectl cordon` does.
 *
 * @param annotations Annotations for the node, which say whose cordon it is. @default none
 * @returns false when the node was unschedulable before and lacks these annotations: then the cordon belongs to somebody else, and
 * nothing is changed.
 */
export async function cordonNode(
  { client, node, signal }: NodeOptions,
  annotations: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const ref = { ...kinds.node, name: node };
  const present = await client.get<NodeObject>(ref, { signal });
  const marks = Object.entries(annotations);
  if (present.spec?.unschedulable === true) {
    return marks.length > 0 && marks.every(([key, value]) => present.metadata.annotations?.[key] === value);
  }
  const metadata = marks.length > 0 ? { metadata: { annotations } } : {};
  await client.patch(ref, { ...metadata, spec: { unschedulable: true } }, { signal, type: "merge" });
  return true;
}

/** Marks a node schedulable again. @param annotations Keys of the annotations to remove, those of its cordon. @default none */
export async function uncordonNode(
  { client, node, signal }: NodeOptions,
  annotations: readonly string[] = [],
): Promise<void> {
  const removed = Object.fromEntries(annotations.map((key) => [key, null]));
  const metadata = annotations.length > 0 ? { metadata: { annotations: removed } } : {};
  await client.patch(
    { ...kinds.node, name: node },
    { ...metadata, spec: { unschedulable: null } },
    { signal, type: "merge" },
  );
}

/**
 * Evicts the pods of a node and waits until they are gone. Pods of DaemonSets stay, since they would come back at once, and so do
 * static pods. While a disruption budget forbids an eviction, it is tried again.
 *
 * @throws when pods are left at the time the signal aborts
 */
export async function drainNode(options: DrainOptions): Promise<void> {
  const { client, node, signal, log } = options;
  const { items } = await client.list<PodObject>(kinds.pod, { fieldSelector: `spec.nodeName=${node}`, signal });
  const results = await Promise.allSettled(items.filter(isEvictable).map((pod) => removePod(options, pod)));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [describeError(result.reason)] : []));
  for (const failure of failures) log(failure);
  if (failures.length === 0) return;
  throw new OsError({
    kind: "deadline-exceeded",
    code: "k8s/not-drained",
    message: `${String(failures.length)} pods could not be removed from node "${node}"`,
    next: `kubectl get pods --all-namespaces --field-selector spec.nodeName=${node}`,
  });
}

function isEvictable({ metadata, status }: PodObject): boolean {
  if (metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined) return false;
  if (status?.phase === "Succeeded" || status?.phase === "Failed") return false;
  return !(metadata.ownerReferences ?? []).some(({ kind, controller }) => kind === "DaemonSet" && controller === true);
}

async function removePod({ client, clock, signal, log }: DrainOptions, { metadata }: PodObject): Promise<void> {
  const { name = "", namespace = "", uid = "" } = metadata;
  const title = `${namespace}/${name}`;
  log(`evicting pod ${title}`);
  for (;;) {
    try {
      await client.evict({ name, namespace }, { signal });
      break;
    } catch (err) {
      if (isKind(err, "not-found")) return;
      if (!isKind(err, "resource-exhausted")) throw wrap(title, err);
      // A disruption budget: another pod must become ready first.
      await clock.sleep(pauseMs, signal).catch(() => {
        throw wrap(title, err);
      });
    }
  }
  for (;;) {
    try {
      const present = await client.get<PodObject>({ ...kinds.pod, name, namespace }, { signal });
      if (present.metadata.uid !== uid) return;
    } catch (err) {
      if (isKind(err, "not-found")) return;
      throw wrap(title, err);
    }
    await clock.sleep(pauseMs, signal).catch((err: unknown) => {
      throw wrap(title, err);
    });
  }
}

function wrap(title: string, cause: unknown): OsError {
  return new OsError({
    kind: OsError.from(cause).kind,
    code: "k8s/not-evicted",
    message: `pod ${title} is still there: ${describeError(cause)}`,
    cause,
  });
}
