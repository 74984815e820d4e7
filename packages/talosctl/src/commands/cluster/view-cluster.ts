import { showCluster, type ClusterView } from "@talos-ts/provision";
import { isInMaintenance, probeEndpoint } from "../../doctor/probe-endpoint.ts";

/** Reads a cluster as it is now, and asks each node that runs whether it has a configuration it can use. */
export async function viewCluster(name: string, root: string): Promise<ClusterView> {
  const view = await showCluster(name, root);
  const nodes = await Promise.all(
    view.nodes.map(async (node) => {
      if (node.state !== "running") return node;
      const facts = await probeEndpoint(node.address, undefined);
      // A node that does not answer yet may be on its way to either.
      return facts.certificate === undefined ? node : { ...node, maintenance: isInMaintenance(facts) };
    }),
  );
  return { ...view, nodes };
}
