import { describeError, isCode, isKind, OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { refOf, type KubernetesClient, type KubernetesObject } from "@talos-ts/kubernetes";
import { inventoryAnnotation, inventoryKey, inventoryName, type ManifestInventory } from "./manifest-inventory.ts";

const fieldManager = "talos";

/** Faults of one object, after which the others are still applied. */
const ownFaults = ["invalid-argument", "unimplemented"] as const;

/** Objects in the order in which they can be created: namespaces, then definitions of kinds, then everything else. */
function inCreationOrder(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ apiVersion = "", kind }: KubernetesObject): number {
  if (kind === "Namespace" && apiVersion === "v1") return 0;
  return kind === "CustomResourceDefinition" && apiVersion.startsWith("apiextensions.k8s.io/") ? 1 : 2;
}

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
  const title = titleOf(given);
  const owner = given.metadata.annotations?.[inventoryAnnotation];
  if (owner !== undefined && owner !== inventoryName) {
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
    await client.apply(marked(object), { fieldManager, signal });
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

/** The object in namespace `default` when its kind needs one, without a namespace when it has none. */
function withScope(object: KubernetesObject, namespaced: boolean): KubernetesObject {
  const { namespace, ...metadata } = object.metadata;
  if (!namespaced) return { ...object, metadata };
  return {
    ...object,
    metadata: { ...metadata, namespace: namespace === undefined || namespace === "" ? "default" : namespace },
  };
}

function marked(object: KubernetesObject): KubernetesObject {
  const annotations = { ...object.metadata.annotations, [inventoryAnnotation]: inventoryName };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** `group/version/kind/name`; the core group is empty. */
function titleOf({ apiVersion = "", kind = "", metadata: { name = "" } }: KubernetesObject): string {
  const groupVersion = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  return `${groupVersion}/${kind}/${name}`;
}

function fault(message: string, cause: unknown): OsError {
  const { kind } = cause === undefined ? { kind: "invalid-argument" as const } : OsError.from(cause);
  const next = "talosctl get manifests --namespace=controlplane -o yaml";
  return new OsError({ kind, code: "k8s/manifest", message, next, cause });
}
