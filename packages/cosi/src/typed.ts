import { isNotFound, typeMismatch } from "./errors.ts";
import type { Query } from "./query.ts";
import { kindOf, pointerTo, type Resource, type ResourceType } from "./resource.ts";
import type { CoreState, State, UpdateOptions, WatchCondition } from "./state.ts";
import { withSpec } from "./wrap-core.ts";

// What code that knows its types uses, so that specs come out typed and types are named once.

/** @throws not found */
export async function getTyped<S>(
  state: CoreState,
  type: ResourceType<S>,
  id: string,
  namespace?: string,
): Promise<Resource<S>> {
  return asType(type, await state.get(pointerTo(type, id, namespace)));
}

/** The resource, or `undefined` when there is none. */
export async function findTyped<S>(
  state: CoreState,
  type: ResourceType<S>,
  id: string,
  namespace?: string,
): Promise<Resource<S> | undefined> {
  try {
    return await getTyped(state, type, id, namespace);
  } catch (err) {
    if (isNotFound(err)) return undefined;
    throw err;
  }
}

/** Lists resources of a type with decoded specs, in order of id. */
export async function listTyped<S>(
  state: CoreState,
  type: ResourceType<S>,
  options: { readonly namespace?: string; readonly query?: Query } = {},
): Promise<readonly Resource<S>[]> {
  return (await state.list(kindOf(type, options.namespace), options.query)) as readonly Resource<S>[];
}

/** Reads, changes the spec and writes until no other writer came in between. */
export async function updateTyped<S>(
  state: State,
  type: ResourceType<S>,
  id: string,
  change: (spec: S) => S,
  options: UpdateOptions & { readonly namespace?: string } = {},
): Promise<Resource<S>> {
  const pointer = pointerTo(type, id, options.namespace);
  const resource = await state.updateWithConflicts(
    pointer,
    (current) => withSpec(current, change(asType(type, current).spec)),
    options,
  );
  return asType(type, resource);
}

/** Waits until the condition holds for a resource of a known type. */
export async function watchForTyped<S>(
  state: State,
  type: ResourceType<S>,
  id: string,
  condition: Omit<WatchCondition, "test"> & { readonly test?: (resource: Resource<S>) => boolean },
  options: { readonly namespace?: string; readonly signal?: AbortSignal } = {},
): Promise<Resource<S>> {
  const { test, ...rest } = condition;
  const untyped = test === undefined ? rest : { ...rest, test: (resource: Resource) => test(asType(type, resource)) };
  return asType(type, await state.watchFor(pointerTo(type, id, options.namespace), untyped, options.signal));
}

/**
 * A resource as one of a known type.
 * @throws type mismatch
 */
export function asType<S>(type: ResourceType<S>, resource: Resource): Resource<S> {
  if (resource.metadata.type !== type.type) throw typeMismatch(resource.metadata, type.type);
  return resource as Resource<S>;
}
