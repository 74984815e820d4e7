import {
  createResourceRegistry,
  createStateClient,
  findTyped,
  getTyped,
  listTyped,
  watchForTyped,
  wrapCore,
  type Query,
  type Resource,
  type ResourceType,
  type WatchCondition,
} from "@talos-ts/cosi";
import type { ApiConnection } from "../connect.ts";

/** The spec of a resource type. */
export type SpecOfType<T> = T extends ResourceType<infer S> ? S : never;

interface NamespaceOption {
  /** @default the namespace of the type */
  readonly namespace?: string;
}

/** Reads resources of the types it was opened with; specs come decoded. Another type does not compile. */
export interface TypedResources<T extends ResourceType<unknown>> {
  /** @throws OsError of kind `not-found` */
  get<U extends T>(type: U, id: string, options?: NamespaceOption): Promise<Resource<SpecOfType<U>>>;
  /** Gives `undefined` when there is no such resource. */
  find<U extends T>(type: U, id: string, options?: NamespaceOption): Promise<Resource<SpecOfType<U>> | undefined>;
  /** In order of id. */
  list<U extends T>(
    type: U,
    options?: NamespaceOption & { readonly query?: Query },
  ): Promise<readonly Resource<SpecOfType<U>>[]>;
  /** Waits until the resource exists and the condition holds. Rejects when the signal aborts. */
  watchFor<U extends T>(
    type: U,
    id: string,
    condition: Omit<WatchCondition, "test"> & { readonly test?: (resource: Resource<SpecOfType<U>>) => boolean },
    options?: NamespaceOption & { readonly signal?: AbortSignal },
  ): Promise<Resource<SpecOfType<U>>>;
}

/**
 * Opens resources of known types on one node.
 *
 * ```ts
 * const resources = openResources(connection, node, [Member]);
 * for (const { spec } of await resources.list(Member)) console.log(spec.hostname);
 * ```
 *
 * @param node Address of the node that is asked, through the endpoint; `undefined` for the endpoint itself.
 * @param types The types that will be read; their codecs decode the specs.
 */
export function openResources<const T extends ResourceType<unknown>>(
  connection: ApiConnection,
  node: string | undefined,
  types: readonly T[],
): TypedResources<T> {
  const registry = createResourceRegistry(types);
  const client = connection.clientOptions(node === undefined ? undefined : { node });
  const state = wrapCore(createStateClient(connection.channel, { ...client, registry }));
  /** The type as one of its own spec: what the compiler cannot see through a type parameter. */
  const typed = <U extends T>(type: U): ResourceType<SpecOfType<U>> => type as ResourceType<SpecOfType<U>>;
  return {
    get: (type, id, options) => getTyped(state, typed(type), id, options?.namespace),
    find: (type, id, options) => findTyped(state, typed(type), id, options?.namespace),
    list: (type, options) => listTyped(state, typed(type), options),
    watchFor: (type, id, condition, options) => watchForTyped(state, typed(type), id, condition, options),
  };
}
