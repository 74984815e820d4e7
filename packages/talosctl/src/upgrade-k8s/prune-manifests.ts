import { isKind, isRecord } from "@talos-ts/base";
import {
  isInventoried,
  parseInventoryKey,
  type InventoryEntry,
  type KubernetesClient,
  type ManifestInventory,
  type ObjectRef,
} from "@talos-ts/kubernetes";

export interface PruneOptions {
  readonly client: KubernetesClient;
  readonly inventory: ManifestInventory;
  /** Keys of all objects that manifests have. */
  readonly wanted: ReadonlySet<string>;
  readonly dryRun: boolean;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Kinds whose removal would take objects of others with it. */
const containers: ReadonlySet<string> = new Set(["Namespace", "CustomResourceDefinition"]);

/**
 * Removes objects that manifests made and no longer have. An object that the inventory does not own any more, a namespace and a
 * definition of a kind are left alone.
 */
export async function pruneManifests({ client, inventory, wanted, dryRun, log, signal }: PruneOptions): Promise<void> {
  for (const key of inventory.keys().filter((each) => !wanted.has(each))) {
    const entry = parseInventoryKey(key);
    if (entry === undefined || containers.has(entry.kind)) continue;
    const ref = await refOf(client, entry, signal);
    const present = ref && (await client.get(ref, { signal }).catch(ignoreMissing));
    const title = `${entry.kind} ${[entry.namespace, entry.name].filter((part) => part !== "").join("/")}`;
    if (ref !== undefined && present !== undefined) {
      if (!isInventoried(present)) continue;
      log(` > pruning ${title}: no manifest has it any more`);
      if (dryRun) {
        log(" < prune skipped in dry run");
        continue;
      }
      const { uid } = present.metadata;
      await client.delete(ref, { signal, ...(uid !== undefined && { uid }) }).catch(ignoreMissing);
      log(" < pruned");
    }
    inventory.remove(key);
  }
}

function ignoreMissing(err: unknown): undefined {
  if (!isKind(err, "not-found")) throw err;
  return undefined;
}

/** The object of a key, in the version that the server prefers; `undefined` when it no longer has the kind. */
async function refOf(
  client: KubernetesClient,
  { namespace, name, group, kind }: InventoryEntry,
  signal: AbortSignal,
): Promise<ObjectRef | undefined> {
  const apiVersion = group === "" ? "v1" : await preferredVersion(client, group, signal);
  if (apiVersion === undefined) return undefined;
  const ref = { apiVersion, kind, name, ...(namespace !== "" && { namespace }) };
  // An unknown kind is `not-found` too.
  return (await client.isNamespaced(ref, { signal }).catch(ignoreMissing)) === undefined ? undefined : ref;
}

async function preferredVersion(
  client: KubernetesClient,
  group: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const text = await client.text(`/apis/${group}`, { signal }).catch(ignoreMissing);
  if (text === undefined) return undefined;
  const document: unknown = JSON.parse(text);
  const preferred = isRecord(document) ? document["preferredVersion"] : undefined;
  const version = isRecord(preferred) ? preferred["groupVersion"] : undefined;
  return typeof version === "string" ? version : undefined;
}
