import { OsError } from "@talos-ts/base";
import { allowsFanOut } from "./fan-out.ts";

/** Route of a call: machined on this node, one other node, or several nodes at once. */
export type Route =
  | { readonly kind: "local" }
  | { readonly kind: "one"; readonly target: string }
  | { readonly kind: "many"; readonly targets: readonly string[] };

/** Forwarding ability of this node. */
export interface RoutingMode {
  /** Maintenance: there is no cluster, so node metadata means nothing. */
  readonly nodeRoutingDisabled: boolean;
  /** Only control plane nodes hold the client certificate that other nodes accept. */
  readonly canForward: boolean;
  /** Addresses and names of this node. */
  readonly self: ReadonlySet<string>;
}

/** The metadata of a call that decides its route. */
export interface RoutingMetadata {
  readonly node: readonly string[];
  readonly nodes: readonly string[];
  readonly proxyFrom: readonly string[];
}

/**
 * Decides by the first rule that fits:
 *
 * | rule                                         | route                                     |
 * |----------------------------------------------|-------------------------------------------|
 * | node routing is disabled                     | local                                     |
 * | neither `node` nor `nodes`, or `proxyfrom`   | local: another apid already decided       |
 * | several values of `node`                     | invalid argument                          |
 * | this node cannot forward                     | local if it means itself, else refused    |
 * | `nodes`                                      | many, for services that can be merged     |
 * | `node`                                       | one                                       |
 */
export function route(method: string, metadata: RoutingMetadata, mode: RoutingMode): Route {
  const { node, nodes, proxyFrom } = metadata;
  if (mode.nodeRoutingDisabled || proxyFrom.length > 0) return { kind: "local" };
  if (node.length === 0 && nodes.length === 0) return { kind: "local" };
  if (node.length > 1) {
    throw new OsError({
      kind: "invalid-argument",
      code: "apid/node-metadata",
      message: "node metadata must be single-valued",
    });
  }
  if (!mode.canForward) {
    const [only, ...others] = nodes.length > 0 ? nodes : node;
    if (only !== undefined && others.length === 0 && mode.self.has(only)) return { kind: "local" };
    throw new OsError({
      kind: "permission-denied",
      code: "apid/no-forwarding",
      message: "no request forwarding",
      details: { nodes: [...node, ...nodes] },
      next: "talosctl config endpoint <control plane address>",
    });
  }
  if (nodes.length > 0) {
    if (!allowsFanOut(method)) {
      throw new OsError({
        kind: "invalid-argument",
        code: "apid/no-fan-out",
        message: `one-2-many proxying is not supported for method ${method}`,
      });
    }
    return { kind: "many", targets: nodes };
  }
  return { kind: "one", target: node[0] ?? "" };
}
