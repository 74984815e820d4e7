import {
  createResourceRegistry,
  createStateClient,
  kindOf,
  resourceDefinitionType,
  type Kind,
  type Pointer,
  type Query,
  type RawSpec,
  type Resource,
  type ResourceDefinition,
  type WatchKindOptions,
  type WatchOptions,
} from "@talos-ts/cosi";
import type { ApiConnection } from "../connect.ts";

/** A resource with its spec as the node encoded it: protobuf bytes and YAML. */
export type RawResource = Resource<RawSpec>;

/** An event of a watch; `bootstrapped` and `noop` carry no resource. */
export type RawEvent =
  | { readonly type: "created" | "updated" | "destroyed"; readonly resource: RawResource }
  | { readonly type: "bootstrapped" | "noop"; readonly resource?: undefined };

/** A running watch: batches of events in order. Leaving the loop or disposing stops it. */
export interface RawWatch extends AsyncIterable<readonly RawEvent[]>, AsyncDisposable {}

/**
 * Reads resources of any type without decoding their specs, for programs that show whatever a node has.
 *
 * Code that knows the types it reads uses `openResources`. The two cannot be mixed up: `getTyped` and its neighbours take a
 * `CoreState`, which this is not.
 */
export interface RawResources {
  /** @throws OsError of kind `not-found` */
  get(pointer: Pointer): Promise<RawResource>;
  /** In order of id. */
  list(kind: Kind, query?: Query): Promise<readonly RawResource[]>;
  watch(pointer: Pointer, options?: WatchOptions): Promise<RawWatch>;
  watchKind(kind: Kind, options?: WatchKindOptions): Promise<RawWatch>;
}

/**
 * Opens the resources of one node without knowing their types.
 *
 * @param node Address of the node that is asked, through the endpoint. @default the endpoint itself
 */
export function rawResources(connection: ApiConnection, node?: string): RawResources {
  // No type is registered, so the client leaves every spec as it came.
  return createStateClient(connection.channel, {
    ...connection.clientOptions(node === undefined ? undefined : { node }),
    registry: createResourceRegistry(),
  }) as RawResources;
}

/** Lists the definitions of the resource types that a node has. */
export async function listDefinitions(resources: RawResources): Promise<readonly ResourceDefinition[]> {
  const found = await resources.list(kindOf(resourceDefinitionType));
  return found.map(({ spec }) => resourceDefinitionType.codec.decode(spec.proto));
}
