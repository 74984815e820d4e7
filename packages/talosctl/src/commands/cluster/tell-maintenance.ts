import type { ClusterPlan } from "@talos-ts/provision";
import type { Invocation } from "../../command.ts";
import { isInMaintenance, probeEndpoint } from "../../doctor/probe-endpoint.ts";

/** Names the nodes that run without a configuration: they answer, but do nothing else. */
export async function tellMaintenance(
  { io }: Pick<Invocation, "io">,
  { nodes }: Pick<ClusterPlan, "nodes">,
): Promise<void> {
  const probed = await Promise.all(
    nodes.map(async (node) => ({ node, facts: await probeEndpoint(node.address, undefined) })),
  );
  for (const { node, facts } of probed) {
    if (!isInMaintenance(facts)) continue;
    io.err(
      `${node.name} (${node.address}) is in maintenance mode: it has no configuration it can use\n` +
        `  next: talosctl apply-config --insecure --nodes ${node.address} --file <config.yaml>\n`,
    );
  }
}
