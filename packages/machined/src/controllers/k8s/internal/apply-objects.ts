import { describeError, isCode, isKind, OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import {
  foreignInventory,
  inCreationOrder,
  inventoryKey,
  manifestFieldManager,
  objectTitle,
  refOf,
  withInventory,
  withScope,
  type KubernetesClient,
  type KubernetesObject,
  type ManifestInventory,
} from "@talos-ts/kubernetes";

/** Faults of one object, after which the others are still applied. */
const ownFaults = ["invalid-argument", "unimplemented"] as const;

export interface ApplyContext {
  readonly client: KubernetesClient;
  readonly inventory: ManifestInventory;
  readonly logger: Pick<Logger, "info">;
  readonly signal: AbortSignal;
}

/**
 * Creates the objects that neither the inventory nor the cluster has; what exists is never changed. An object with a fault of
 * its own does not keep back the others.
 *
 * @returns the faults of single objects
 */
export async function applyObjects(
  context: ApplyContext,
  objects: readonly KubernetesObject[],
): Promise<readonly OsError[]> {
  const faults: OsError[] = [];
  for (const object of inCreationOrder(objects)) {
    const fault = await applyOne(context, object);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

async function applyOne(context: ApplyContext, given: KubernetesObject): Promise<OsError | undefined> {
  const { client, inventory, logger, signal } = context;
  const title = objectTitle(given);
  if (foreignInventory(given) !== undefined) {
    return fault(`unexpected foreign inventory annotation on ${title}`, undefined);
  }
  let namespaced: boolean;
  try {
    namespaced = await client.isNamespaced(refOf(given), { signal });
  } catch (err) {
    // A kind that is not defined (yet) is a fault of the manifest; a server that does not answer is not.
    if (isCode(err, "kubernetes/unknown-kind") || isKind(err, "not-found")) {
      return fault(`error creating mapping for object ${title}: ${describeError(err)}`, err);
    }
    throw err;
  }
  const object = withScope(given, namespaced);
  const key = inventoryKey(object);
  if (inventory.has(key)) return undefined;
  if (await exists(client, object, signal)) {
    inventory.add(key);
    return undefined;
  }
  try {
    await client.apply(withInventory(object), { fieldManager: manifestFieldManager, signal });
  } catch (err) {
    const failure = fault(`error creating ${title}: ${describeError(err)}`, err);
    if (ownFaults.some((kind) => isKind(err, kind))) return failure;
    throw failure;
  }
  inventory.add(key);
  logger.info(`created ${title}`);
  return undefined;
}

async function exists(client: KubernetesClient, object: KubernetesObject, signal: AbortSignal): Promise<boolean> {
  try {
    await client.get(refOf(object), { signal });
    return true;
  } catch (err) {
    if (isKind(err, "not-found")) return false;
    throw err;
  }
}

function fault(message: string, cause: unknown): OsError {
  const { kind } = cause === undefined ? { kind: "invalid-argument" as const } : OsError.from(cause);
  const next = "talosctl get manifests --namespace=controlplane -o yaml";
  return new OsError({ kind, code: "k8s/manifest", message, next, cause });
}
