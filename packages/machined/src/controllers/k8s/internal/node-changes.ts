import { isDeepStrictEqual } from "node:util";
import type { NodeObject, Taint } from "@talos-ts/kubernetes";

/** Describes what the machine wants of its Kubernetes node. */
export interface NodeWishes {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly cordoned: boolean;
}

/** Annotations that record what the machine has put on the node, so that it takes back only that. */
export const ownership = {
  labels: "talos.dev/owned-labels",
  annotations: "talos.dev/owned-annotations",
  taints: "talos.dev/owned-taints",
  cordoned: "talos.dev/cordoned",
} as const;

/** The node with the wishes applied; the same object when nothing has to change. */
export function withWishes(node: NodeObject, wishes: NodeWishes): NodeObject {
  const current = node.metadata.annotations ?? {};
  const labels = mergePairs(node.metadata.labels ?? {}, ownedIn(current, ownership.labels), wishes.labels);
  const pairs = mergePairs(current, ownedIn(current, ownership.annotations), wishes.annotations);
  const taints = mergeTaints(node.spec?.taints ?? [], ownedIn(current, ownership.taints), wishes.taints);
  const cordon = mergeCordon(node, wishes.cordoned);
  const annotations = withRecords(pairs.values, {
    [ownership.labels]: recordOf(labels.owned),
    [ownership.annotations]: recordOf(pairs.owned),
    [ownership.taints]: recordOf(taints.owned),
    [ownership.cordoned]: cordon.marked ? "true" : undefined,
  });
  const { taints: _taints, unschedulable: _unschedulable, ...spec } = node.spec ?? {};
  const changed: NodeObject = {
    ...node,
    metadata: { ...node.metadata, labels: labels.values, annotations },
    spec: {
      ...spec,
      ...(taints.values.length > 0 && { taints: taints.values }),
      ...(cordon.unschedulable && { unschedulable: true }),
    },
  };
  return isDeepStrictEqual(normal(changed), normal(node)) ? node : changed;
}

function normal({ metadata, spec }: NodeObject): unknown {
  const { labels = {}, annotations = {} } = metadata;
  return { labels, annotations, taints: spec?.taints ?? [], unschedulable: spec?.unschedulable ?? false };
}

interface Merged<T> {
  readonly values: T;
  readonly owned: ReadonlySet<string>;
}

type Pairs = Readonly<Record<string, string>>;

/** Sets what is absent or owned; leaves what somebody else set to another value; removes what is owned and no longer wanted. */
function mergePairs(current: Pairs, ownedBefore: ReadonlySet<string>, wanted: Pairs): Merged<Pairs> {
  const values = new Map(Object.entries(current));
  const owned = new Set<string>();
  for (const [key, value] of Object.entries(wanted)) {
    const present = values.get(key);
    if (present !== undefined && present !== value && !ownedBefore.has(key)) continue;
    values.set(key, value);
    owned.add(key);
  }
  for (const key of ownedBefore) if (!Object.hasOwn(wanted, key)) values.delete(key);
  return { values: Object.fromEntries(values), owned };
}

function mergeTaints(
  current: readonly Taint[],
  ownedBefore: ReadonlySet<string>,
  wanted: readonly Taint[],
): Merged<readonly Taint[]> {
  const values = new Map(current.map((taint) => [taint.key, taint]));
  const owned = new Set<string>();
  const foreign = new Set<string>();
  for (const { key, value = "", effect } of wanted) {
    const present = values.get(key);
    const same = present?.effect === effect && (present.value ?? "") === value;
    if (present !== undefined && !same && !ownedBefore.has(key)) {
      foreign.add(key);
      continue;
    }
    if (!same) values.set(key, { key, ...(value !== "" && { value }), effect });
    owned.add(key);
  }
  const wantedKeys = new Set(wanted.map(({ key }) => key));
  for (const key of ownedBefore) if (!wantedKeys.has(key)) values.delete(key);
  // A key may occur with several effects; those of others are kept as they are.
  const others = current.filter((taint) => values.get(taint.key) !== taint && foreign.has(taint.key));
  return { values: [...values.values(), ...others], owned };
}

function mergeCordon(
  { spec, metadata }: NodeObject,
  wanted: boolean,
): { readonly unschedulable: boolean; readonly marked: boolean } {
  const unschedulable = spec?.unschedulable === true;
  const marked = metadata.annotations?.[ownership.cordoned] !== undefined;
  if (wanted) return { unschedulable: true, marked: marked || !unschedulable };
  // Only a cordon of the machine is taken back.
  return { unschedulable: unschedulable && !marked, marked: false };
}

function ownedIn(annotations: Pairs, key: string): ReadonlySet<string> {
  const text = annotations[key];
  if (text === undefined || text === "") return new Set();
  const names: unknown = JSON.parse(text);
  return new Set(Array.isArray(names) ? names.filter((name) => typeof name === "string") : []);
}

function recordOf(owned: ReadonlySet<string>): string | undefined {
  return owned.size === 0 ? undefined : JSON.stringify([...owned].toSorted());
}

function withRecords(annotations: Pairs, records: Readonly<Record<string, string | undefined>>): Pairs {
  const values = new Map(Object.entries(annotations));
  for (const [key, value] of Object.entries(records)) {
    if (value === undefined) values.delete(key);
    else values.set(key, value);
  }
  return Object.fromEntries(values);
}
