import {
  createResourceRegistry,
  createStateClient,
  kindOf,
  resourceDefinitionType,
  wrapCore,
  type RawSpec,
  type Resource,
  type ResourceDefinition,
  type State,
} from "@talos-ts/cosi";
import type { ApiConnection } from "../connect.ts";

/** A resource as its node wrote it. */
export type RawResource = Resource<RawSpec>;

/**
 * The resources of one node, by default of the endpoint itself. Specs come as their node wrote them, of whatever type:
 * what is shown needs no knowledge of it, and a node may be newer than its client.
 */
export function resourceState(connection: ApiConnection, node?: string): State {
  return wrapCore(
    createStateClient(connection.channel, {
      registry: createResourceRegistry(),
      metadata: connection.metadata(node === undefined ? undefined : { node }),
    }),
  );
}

/** What types of resources the node has. */
export async function listDefinitions(state: State): Promise<readonly ResourceDefinition[]> {
  const resources = (await state.list(kindOf(resourceDefinitionType))) as readonly RawResource[];
  return resources.map(({ spec }) => resourceDefinitionType.codec.decode(spec.proto));
}
