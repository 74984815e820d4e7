import { Metadata, type CallContext } from "@talos-ts/grpc";
import { metadataKeys } from "@talos-ts/machinery/constants";

/** Metadata for apid on another node: the caller's with the roles set by apid, without `node` and `nodes`, since the route ends there. */
export function remoteMetadata(call: CallContext, roles: readonly string[]): Metadata {
  const metadata = new Metadata(call.metadata)
    .set(metadataKeys.role, roles)
    .set(metadataKeys.proxyFrom, call.authority || "unknown");
  metadata.delete(metadataKeys.node);
  metadata.delete(metadataKeys.nodes);
  return metadata;
}
