import type { MetadataInit } from "@talos-ts/grpc";
import { metadataKeys } from "../constants/metadata-keys.ts";

/**
 * Nodes that a call is for.
 *
 * - `nodes`: the endpoint asks each of them and merges the answers; only older services can do that.
 * - `node`: the endpoint passes the call on to that one.
 * - nothing: the endpoint itself.
 */
export type CallTarget = { readonly nodes: readonly string[] } | { readonly node: string } | undefined;

/** Returns what the metadata of a call holds: its nodes, the cluster behind a proxy, and whether the endpoint connects to nodes anew. */
export function callMetadata(target: CallTarget, cluster?: string, freshConnection = false): MetadataInit {
  return {
    runtime: "Talos",
    ...(target !== undefined && target),
    ...(cluster !== undefined && cluster !== "" && { context: cluster }),
    ...(freshConnection && { [metadataKeys.freshConnection]: "true" }),
  };
}
