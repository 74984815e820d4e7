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
  add(key: string): void;
  /** Adds what is new to the ConfigMap; additions of other control planes in the meantime are kept. */
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

  async function write(): Promise<void> {
    const stored = await read();
    const keys = new Set([...keysOf(stored), ...added]);
    const data = Object.fromEntries([...keys].toSorted().map((key) => [key, ""]));
    if (stored === undefined) {
      const labels = { "cli-utils.sigs.k8s.io/inventory-id": name };
      await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels }, data });
    } else await client.update({ ...stored, apiVersion: "v1", kind: "ConfigMap", data });
  }

  return {
    has: (key) => known.has(key) || added.has(key),
    add: (key) => void added.add(key),
    async save() {
      if ([...added].every((key) => known.has(key))) return;
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

function keysOf(stored: KubernetesObject | undefined): ReadonlySet<string> {
  const data = stored?.["data"];
  return new Set(isRecord(data) ? Object.keys(data) : []);
}
