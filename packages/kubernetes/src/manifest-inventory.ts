import { isKind, isRecord } from "@talos-ts/base";
import type { KubernetesClient } from "./client.ts";
import { kinds } from "./kinds.ts";
import type { KubernetesObject } from "./object.ts";

const name = "talos-bootstrap-manifests-inventory";
const namespace = "kube-system";

/** Annotation of objects that an inventory lists; its value is the name of the inventory. */
const annotation = "config.k8s.io/owning-inventory";

/**
 * Objects that were created from manifests, in a ConfigMap of the cluster: what a person deletes afterwards is not created again.
 * Keys are `namespace_name_group_kind`, the format of kubernetes-sigs/cli-utils.
 */
export interface ManifestInventory {
  has(key: string): boolean;
  /** All keys, in alphabetical order. */
  keys(): readonly string[];
  add(key: string): void;
  remove(key: string): void;
  /** Adds what is new to the ConfigMap, and removes what was removed; additions of other control planes in the meantime are kept. */
  save(): Promise<void>;
}

/** The inventory that an object says it belongs to, when that is another one than that of the manifests. */
export function foreignInventory({ metadata }: KubernetesObject): string | undefined {
  const owner = metadata.annotations?.[annotation];
  return owner === name ? undefined : owner;
}

/** The object with the annotation that says which inventory lists it. */
export function withInventory(object: KubernetesObject): KubernetesObject {
  const annotations = { ...object.metadata.annotations, [annotation]: name };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Key of an object in the inventory. Colons, which names of roles have, are not allowed in keys of a ConfigMap. */
export function inventoryKey(object: KubernetesObject): string {
  const { apiVersion = "", kind = "", metadata } = object;
  const group = apiVersion.includes("/") ? (apiVersion.split("/", 1)[0] ?? "") : "";
  return [metadata.namespace ?? "", (metadata.name ?? "").replaceAll(":", "__"), group, kind].join("_");
}

/** Object that a key of the inventory names. */
export interface InventoryEntry {
  readonly namespace: string;
  readonly name: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
}

/** Reads a key of the inventory; `undefined` when it is none. */
export function parseInventoryKey(key: string): InventoryEntry | undefined {
  const [, namespace, written, group, kind] = /^([^_]*)_(.+)_([^_]*)_([^_]+)$/.exec(key) ?? [];
  if (namespace === undefined || written === undefined || group === undefined || kind === undefined) return undefined;
  return { namespace, name: written.replaceAll("__", ":"), group, kind };
}

/** Reports whether the inventory of the manifests owns an object. */
export function isInventoried({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[annotation] === name;
}

/** Reads the inventory; one that is not there is empty. */
export async function loadInventory(client: KubernetesClient, signal: AbortSignal): Promise<ManifestInventory> {
  const ref = { ...kinds.configMap, name, namespace };

  async function read(): Promise<KubernetesObject | undefined> {
    try {
      return await client.get(ref, { signal });
    } catch (err) {
      if (isKind(err, "not-found")) return undefined;
      throw err;
    }
  }

  const known = keysOf(await read());
  const added = new Set<string>();
  const removed = new Set<string>();

  async function write(): Promise<void> {
    const stored = await read();
    const keys = new Set([...keysOf(stored), ...added]).difference(removed);
    const data = Object.fromEntries([...keys].toSorted().map((key) => [key, ""]));
    if (stored === undefined) {
      const labels = { "cli-utils.sigs.k8s.io/inventory-id": name };
      await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels }, data });
    } else await client.update({ ...stored, apiVersion: "v1", kind: "ConfigMap", data });
  }

  return {
    has: (key) => (known.has(key) || added.has(key)) && !removed.has(key),
    keys: () => [...known.union(added).difference(removed)].toSorted(),
    add(key) {
      added.add(key);
      removed.delete(key);
    },
    remove(key) {
      added.delete(key);
      removed.add(key);
    },
    async save() {
      if (added.isSubsetOf(known) && removed.isDisjointFrom(known)) return;
      for (let attempt = 1; ; attempt += 1) {
        try {
          await write();
          return;
        } catch (err) {
          // Another control plane was quicker: read again and add to that.
          const raced = isKind(err, "aborted") || isKind(err, "already-exists");
          if (!raced || attempt === maxAttempts) throw err;
        }
      }
    },
  };
}

const maxAttempts = 5;

function keysOf(stored: KubernetesObject | undefined): Set<string> {
  const data = stored?.["data"];
  return new Set(isRecord(data) ? Object.keys(data) : []);
}
