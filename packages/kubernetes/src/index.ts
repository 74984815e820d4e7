export type { KubernetesAccess } from "./access.ts";
export {
  createKubernetesClient,
  refOf,
  type ApplyOptions,
  type CallOptions,
  type ClientOptions,
  type DeleteOptions,
  type KubernetesClient,
  type PatchOptions,
  type SelectOptions,
  type WatchOptions,
} from "./client.ts";
export { cordonNode, drainNode, uncordonNode, type DrainOptions, type NodeOptions } from "./drain-node.ts";
export { statusError } from "./errors.ts";
export { follow, type FollowOptions } from "./follow.ts";
export { kinds } from "./kinds.ts";
export { loadKubeconfig, parseKubeconfig, type ParseKubeconfigOptions } from "./kubeconfig.ts";
export type {
  Condition,
  ContainerStatus,
  KindRef,
  KubernetesObject,
  NodeObject,
  ObjectList,
  ObjectMeta,
  ObjectRef,
  OwnerReference,
  PodObject,
  Taint,
  WatchEvent,
  WatchEventType,
} from "./object.ts";
export {
  mergeKubeconfig,
  type ConflictDecision,
  type KubeconfigComponent,
  type MergeOptions,
} from "./merge-kubeconfig.ts";
export {
  foreignInventory,
  inventoryKey,
  isInventoried,
  loadInventory,
  parseInventoryKey,
  withInventory,
  type InventoryEntry,
  type ManifestInventory,
} from "./manifest-inventory.ts";
export { inCreationOrder, manifestFieldManager, objectTitle, withScope } from "./manifest-objects.ts";
export { pruneKubeconfig } from "./prune-kubeconfig.ts";
export { probeApiServer } from "./probe-api-server.ts";
