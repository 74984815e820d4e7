export type {
  Controller,
  ControllerContext,
  Input,
  InputKind,
  LogFields,
  Logger,
  Output,
  OutputKind,
  QueueContext,
  QueueController,
  QueueInput,
  Reader,
  ReconcileEvent,
  Writer,
} from "./controller.ts";
export { equalResources, equalSpecs } from "./equal.ts";
export {
  alreadyExists,
  invalidBookmark,
  isAlreadyExists,
  isConflict,
  isInvalidBookmark,
  isNotFound,
  isOwnerConflict,
  isPendingFinalizers,
  isPhaseConflict,
  isUnsupported,
  isVersionConflict,
  isWatchOverrun,
  notFound,
  ownerConflict,
  pendingFinalizers,
  phaseConflict,
  typeMismatch,
  unsupported,
  versionConflict,
  watchOverrun,
  type ErrorScope,
} from "./errors.ts";
export { follow, type FollowOptions } from "./follow.ts";
export { readVerbs, type StateAccess, type StateVerb } from "./grpc/access.ts";
export { createStateClient, type StateClientOptions } from "./grpc/client.ts";
export { stateService, type StateServiceOptions } from "./grpc/service.ts";
export { createInMemoryState, type InMemoryStateOptions } from "./in-memory.ts";
export { resourceDefinitionOf, definitionId, type ResourceTypeInfo } from "./meta/resource-definition-of.ts";
export { metaNamespace, metaOwner, namespaceType, type Namespace } from "./meta/namespace.ts";
export { metaTypeInfos, registerNamespace, registerResourceType } from "./meta/register.ts";
export {
  resourceDefinitionType,
  type PrintColumn,
  type ResourceDefinition,
  type Sensitivity,
} from "./meta/resource-definition.ts";
export { createNamespacedState } from "./namespaced.ts";
export { createPersistedState, type PersistedState, type PersistedStateOptions } from "./persisted.ts";
export { matchesQuery } from "./query-match.ts";
export type { LabelQuery, LabelTerm, Query } from "./query.ts";
export { createResourceRegistry, type ResourceRegistry } from "./registry.ts";
export {
  createResource,
  describePointer,
  kindOf,
  pointerTo,
  type Kind,
  type Labels,
  type Metadata,
  type Phase,
  type Pointer,
  type RawSpec,
  type Resource,
  type ResourceInit,
  type ResourceType,
  type SpecCodec,
} from "./resource.ts";
export * from "./runtime/index.ts";
export type {
  CoreState,
  CreateOptions,
  Event,
  NativeTeardown,
  OwnerOptions,
  State,
  UpdateOptions,
  Watch,
  WatchCondition,
  WatchKindOptions,
  WatchOptions,
} from "./state.ts";
export { isTombstone } from "./state/tombstone.ts";
export { asType, findTyped, getTyped, listTyped, updateTyped, watchForTyped } from "./typed.ts";
export { withMetadata, withSpec, wrapCore } from "./wrap-core.ts";
