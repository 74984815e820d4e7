import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import { layout } from "./node-layout.ts";

const userData = "USERDATA=";

/** The configuration a node was made with; `undefined` for one that was made without, or whose description is lost. */
export async function keptConfig(plan: ClusterPlan, node: NodePlan): Promise<string | undefined> {
  try {
    const text = await readFile(layout.container(plan, node), "utf8");
    const spec = JSON.parse(text) as { readonly process?: { readonly env?: readonly string[] } };
    const found = spec.process?.env?.find((entry) => entry.startsWith(userData));
    return found === undefined ? undefined : Buffer.from(found.slice(userData.length), "base64").toString();
  } catch {
    // A node has its configuration in its volumes too, once it has read it.
    return undefined;
  }
}

/** The nodes that have no configuration: neither were they made with one, nor were they given one since. */
export async function nodesWithoutConfig(plan: ClusterPlan): Promise<readonly NodePlan[]> {
  const found = await Promise.all(
    plan.nodes.map(async (node) => {
      if ((await keptConfig(plan, node)) !== undefined) return [];
      const stored = join(layout.volume(plan, node, "state"), "config.yaml");
      return stat(stored).then(
        () => [],
        () => [node],
      );
    }),
  );
  return found.flat();
}
