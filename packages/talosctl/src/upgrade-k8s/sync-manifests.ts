import { isDeepStrictEqual } from "node:util";
import { isKind } from "@talos-ts/base";
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
import { waitForRollout } from "./rollout.ts";
import type { Upgrade } from "./upgrade.ts";

/** Settings of applying manifests again. */
export interface SyncOptions extends Pick<Upgrade, "dryRun" | "log" | "signal" | "clock"> {
  readonly client: KubernetesClient;
  /** How long workloads may take to be replaced, in ms; 0 does not wait. */
  readonly reconcileMs: number;
}

/**
 * Applies the objects of the manifests to the cluster, by server-side apply under the name that the nodes use. What is as it should
 * be is left alone; in a dry run only the differences are told. Objects that manifests no longer have stay.
 */
export async function syncManifests(options: SyncOptions, objects: readonly KubernetesObject[]): Promise<void> {
  const { client, dryRun, log, signal } = options;
  log(dryRun ? "updating manifests (dry run)" : "updating manifests");
  const inventory = await loadInventory(client, signal);
  const changed: KubernetesObject[] = [];
  for (const given of inCreationOrder(objects)) {
    log(` > processing manifest ${objectTitle(given)}`);
    const object = withInventory(withScope(given, await client.isNamespaced(refOf(given), { signal })));
    const before = await find(client, object, signal);
    const apply = { fieldManager: manifestFieldManager, force: true, signal };
    const after = await client.apply(object, { ...apply, dryRun: true });
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
  if (dryRun) return;
  await inventory.save();
  for (const object of changed) await waitForRollout(options, object);
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
