import type { ClusterState } from "./cluster-state.ts";
import type { KeptOperation } from "./former-operation.ts";
import type { RollingWork } from "./rolling-work.ts";

/**
 * The control plane that keeps the operation: that of the former call, else one that the work leaves alone, else the last in turn.
 * Where nodes are erased, the record moves to another one at the turn of its keeper, and stays there.
 */
export function keeperOf(
  { erases }: Pick<RollingWork, "erases">,
  cluster: Pick<ClusterState, "nodes">,
  targets: readonly string[],
  former: Pick<KeptOperation, "keeper"> | undefined,
  current: () => string,
): () => string | undefined {
  const present = cluster.nodes.controlPlanes;
  let keeper =
    former?.keeper ??
    present.find((node) => !targets.includes(node)) ??
    targets.findLast((node) => present.includes(node));
  return () => {
    const { controlPlanes } = cluster.nodes;
    const goes = (node: string): boolean => erases && node === current();
    if (keeper === undefined || !controlPlanes.includes(keeper) || goes(keeper)) {
      keeper = controlPlanes.find((node) => !goes(node));
    }
    return keeper;
  };
}
