import { Metadata, type CallContext } from "@talos-ts/grpc";
import type { RoleSet } from "@talos-ts/machinery/roles";

/** Keys that the parts of the system agree on. */
export const metadataKeys = {
  node: "node",
  nodes: "nodes",
  /** Says that another apid has already chosen the node. */
  proxyFrom: "proxyfrom",
  /** The caller's roles, for those who cannot see its certificate. */
  role: "talos-role",
} as const;

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
