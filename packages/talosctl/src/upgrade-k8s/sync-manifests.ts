import { isDeepStrictEqual } from "node:util";
import { isCode, isKind, OsError, systemClock } from "@talos-ts/base";
import {
  inCreationOrder,
  inventoryKey,
  loadInventory,
  manifestFieldManager,
  objectTitle,
  refOf,
  withInventory,
  withScope,
  type KubernetesClient,
  type KubernetesObject,
} from "@talos-ts/kubernetes";
import { unifiedDiff } from "@talos-ts/machinery/config";
import { formatYaml } from "../output/yaml.ts";
import { inventoryRefusal, type InventoryPolicy } from "./inventory-policy.ts";
import { pruneManifests } from "./prune-manifests.ts";
import { waitForRollout } from "./rollout.ts";
import type { Upgrade } from "./upgrade.ts";

/** Settings of waiting for workloads that were changed. */
export interface RolloutOptions extends Pick<Upgrade, "dryRun" | "log" | "signal" | "clock"> {
  readonly client: KubernetesClient;
  /** Time that workloads may take to be replaced, in ms; 0 does not wait. */
  readonly reconcileMs: number;
}

/** Settings of applying manifests again. */
export interface SyncOptions extends RolloutOptions {
  /** Policy of which existing objects may be changed. */
  readonly policy: InventoryPolicy;
  /** Whether objects are deleted and made anew whose change the API server refuses, as with fields that are immutable. */
  readonly force: boolean;
  /** Whether objects are removed that manifests made and no longer have. */
  readonly prune: boolean;
}

/**
 * Applies the objects of the manifests to the cluster, by server-side apply under the name that the nodes use. What is as it should
 * be is left alone; in a dry run only the differences are told.
 */
export async function syncManifests(options: SyncOptions, objects: readonly KubernetesObject[]): Promise<void> {
  const { client, dryRun, log, signal, policy } = options;
  log(dryRun ? "updating manifests (dry run)" : "updating manifests");
  const inventory = await loadInventory(client, signal);
  const changed: KubernetesObject[] = [];
  const wanted = new Set<string>();
  for (const given of inCreationOrder(objects)) {
    log(` > processing manifest ${objectTitle(given)}`);
    const object = withInventory(withScope(given, await client.isNamespaced(refOf(given), { signal })));
    wanted.add(inventoryKey(object));
    const before = await find(client, object, signal);
    const refusal = before && inventoryRefusal(policy, before);
    if (refusal !== undefined) {
      log(` < apply skipped: ${refusal}`);
      continue;
    }
    const apply = { fieldManager: manifestFieldManager, force: true, signal };
    const after = await client.apply(object, { ...apply, dryRun: true }).catch((err: unknown) => {
      if (!options.force || !isCode(err, invalid)) throw advised(object, err);
      return undefined;
    });
    if (after === undefined) {
      log(dryRun ? " < would be deleted and made anew" : " > deleting it, to make it anew");
      if (dryRun) continue;
      await recreate(client, object, signal);
      changed.push(object);
      inventory.add(inventoryKey(object));
      log(" < made anew");
      continue;
    }
    if (before !== undefined && isDeepStrictEqual(essence(before), essence(after))) {
      log(" < apply skipped: nothing to update");
      continue;
    }
    if (dryRun) {
      log(` < apply skipped in dry run, diff:${difference(before, after)}`);
      continue;
    }
    changed.push(await client.apply(object, apply));
    inventory.add(inventoryKey(object));
    log(` < applied successfully, diff:${difference(before, after)}`);
  }
  if (options.prune) await pruneManifests({ client, inventory, wanted, dryRun, log, signal });
  if (dryRun) return;
  await inventory.save();
  for (const object of changed) await waitForRollout(options, object);
}

/** Code of what the API server says to a change of an immutable field. */
const invalid = "kubernetes/invalid";
const recreateMs = 60_000;
const retryMs = 500;

/** Deletes an object and makes it anew, once it is gone. */
async function recreate(client: KubernetesClient, object: KubernetesObject, signal: AbortSignal): Promise<void> {
  await client.delete(refOf(object), { signal });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(recreateMs)]);
  while ((await find(client, object, limit)) !== undefined) await systemClock.sleep(retryMs, limit);
  await client.apply(object, { fieldManager: manifestFieldManager, force: true, signal });
}

function advised(object: KubernetesObject, err: unknown): unknown {
  if (!isCode(err, invalid)) return err;
  return new OsError({
    kind: err.kind,
    code: err.code,
    message: `Cannot change ${objectTitle(object)}: ${err.message}`,
    next: "talosctl upgrade-k8s --manifests-force, which deletes the object and makes it anew",
    cause: err,
  });
}

async function find(
  client: KubernetesClient,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  try {
    return await client.get(refOf(object), { signal });
  } catch (err) {
    if (isKind(err, "not-found")) return undefined;
    throw err;
  }
}

/** Fields that the server keeps itself. */
const kept: ReadonlySet<string> = new Set([
  "managedFields",
  "resourceVersion",
  "generation",
  "uid",
  "creationTimestamp",
]);

/** An object without what the server keeps about it. */
function essence({ metadata, ...object }: KubernetesObject): Readonly<Record<string, unknown>> {
  const fields = Object.entries(metadata).filter(([name]) => !kept.has(name));
  return { ...object, status: undefined, metadata: Object.fromEntries(fields) };
}

function difference(before: KubernetesObject | undefined, after: KubernetesObject): string {
  if (after.kind === "Secret") return " (not shown)";
  const text = (object: KubernetesObject | undefined): string =>
    object === undefined ? "" : formatYaml(essence(object));
  return `\n${unifiedDiff(text(before), text(after))}`.trimEnd();
}
