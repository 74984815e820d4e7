import { alreadyExists, notFound, ownerAlreadySet, ownerConflict } from "../errors.ts";
import { pendingFinalizers, phaseConflict, versionConflict } from "../errors.ts";
import type { Metadata, Pointer, Resource } from "../resource.ts";
import type { CreateOptions, OwnerOptions, UpdateOptions } from "../state.ts";

// The rules of writing, without storage: given what is stored and what is wanted, the resource to store or the reason
// why not. Every state that keeps resources itself goes through these.

export function created(
  current: Resource | undefined,
  resource: Resource,
  { owner = "" }: CreateOptions = {},
  nowMs: number,
): Resource {
  const { metadata } = resource;
  if (metadata.owner !== "" && metadata.owner !== owner) throw ownerAlreadySet(metadata, metadata.owner);
  if (current !== undefined) throw alreadyExists(metadata);
  return stored(resource, metadata.phase, { version: 1, owner, created: nowMs, updated: nowMs });
}

export function updated(
  current: Resource | undefined,
  resource: Resource,
  { owner = "", expectedPhase = "running" }: UpdateOptions = {},
  nowMs: number,
): Resource {
  const { metadata } = resource;
  if (current === undefined) throw notFound(metadata);
  const { metadata: present } = current;
  if (present.owner !== owner) throw ownerConflict(present, present.owner);
  if (present.version !== metadata.version) throw versionConflict(present, metadata.version, present.version);
  if (expectedPhase !== "any" && present.phase !== expectedPhase) throw phaseConflict(present, expectedPhase);
  return stored(resource, metadata.phase, {
    version: present.version + 1,
    owner: present.owner,
    created: present.created,
    updated: nowMs,
  });
}

/** The resource that may go. */
export function destroyable(
  current: Resource | undefined,
  pointer: Pointer,
  { owner = "" }: OwnerOptions = {},
): Resource {
  if (current === undefined) throw notFound({ namespace: pointer.namespace, type: pointer.type, id: pointer.id });
  const { metadata } = current;
  if (metadata.owner !== owner) throw ownerConflict(metadata, metadata.owner);
  if (metadata.finalizers.length > 0) throw pendingFinalizers(metadata, metadata.finalizers);
  return current;
}

/** Written out so that every stored resource has the same shape, whoever built the given one. */
function stored(
  { metadata, spec }: Resource,
  phase: Metadata["phase"],
  fixed: Pick<Metadata, "version" | "owner" | "created" | "updated">,
): Resource {
  return {
    metadata: {
      namespace: metadata.namespace,
      type: metadata.type,
      id: metadata.id,
      version: fixed.version,
      owner: fixed.owner,
      phase,
      created: fixed.created,
      updated: fixed.updated,
      finalizers: metadata.finalizers,
      labels: metadata.labels,
      annotations: metadata.annotations,
    },
    spec,
  };
}
