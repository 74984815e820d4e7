import type { MetadataInit } from "@talos-ts/grpc";

/**
 * Nodes that a call is for.
 *
 * - `nodes`: the endpoint asks each of them and merges the answers; only older services can do that.
 * - `node`: the endpoint passes the call on to that one.
 * - nothing: the endpoint itself.
 */
export type CallTarget = { readonly nodes: readonly string[] } | { readonly node: string } | undefined;

/** Returns what the metadata of a call holds: its nodes, and the cluster behind a proxy. */
export function callMetadata(target: CallTarget, cluster?: string): MetadataInit {
  return {
    runtime: "Talos",
    ...(target !== undefined && target),
    ...(cluster !== undefined && cluster !== "" && { context: cluster }),
  };
}
