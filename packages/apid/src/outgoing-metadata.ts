import { Metadata, type CallContext } from "@talos-ts/grpc";
import { metadataKeys } from "@talos-ts/machinery/constants";
import type { RoleSet } from "@talos-ts/machinery/roles";

/** Metadata for machined on this node: the caller's, with the roles set by apid. */
export function localMetadata(call: CallContext, roles: RoleSet): Metadata {
  return new Metadata(call.metadata).set(metadataKeys.role, [...roles].toSorted());
}

/** Metadata for apid on another node: as for machined, without `node` and `nodes`, since the route ends there. */
export function remoteMetadata(call: CallContext, roles: RoleSet): Metadata {
  const metadata = localMetadata(call, roles).set(metadataKeys.proxyFrom, call.authority || "unknown");
  metadata.delete(metadataKeys.node);
  metadata.delete(metadataKeys.nodes);
  return metadata;
}
