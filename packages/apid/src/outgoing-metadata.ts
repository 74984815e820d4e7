import { Metadata, type CallContext } from "@talos-ts/grpc";
import { metadataKeys } from "@talos-ts/machinery/constants";
import type { RoleSet } from "@talos-ts/machinery/roles";

/** What machined on this node gets: the caller's metadata, with roles that are ours to say. */
export function localMetadata(call: CallContext, roles: RoleSet): Metadata {
  return new Metadata(call.metadata).set(metadataKeys.role, [...roles].toSorted());
}

/** What apid on another node gets: as above, without a route, since the route ends there. */
export function remoteMetadata(call: CallContext, roles: RoleSet): Metadata {
  const metadata = localMetadata(call, roles).set(metadataKeys.proxyFrom, call.authority || "unknown");
  metadata.delete(metadataKeys.node);
  metadata.delete(metadataKeys.nodes);
  return metadata;
}
