import { nearest, OsError } from "@talos-ts/base";
import type { ClusterPlan, NodePlan } from "./cluster-plan.ts";

/**
 * The nodes a person means, in the order of the plan: by name, by name without that of the cluster, or by address; all
 * of them when none is named.
 *
 * @throws OsError `provision/no-node` with the nearest name.
 */
export function chooseNodes(plan: ClusterPlan, words: readonly string[]): readonly NodePlan[] {
  if (words.length === 0) return plan.nodes;
  const wanted = new Set(words.map((word) => findNode(plan, word)));
  return plan.nodes.filter((node) => wanted.has(node));
}

function findNode(plan: ClusterPlan, word: string): NodePlan {
  const found = plan.nodes.find(
    ({ name, address }) => [name, address].includes(word) || name === `${plan.name}-${word}`,
  );
  if (found !== undefined) return found;
  const names = plan.nodes.map(({ name }) => name);
  const meant = nearest(word, names) ?? nearest(`${plan.name}-${word}`, names);
  throw new OsError({
    kind: "not-found",
    code: "provision/no-node",
    message: `Cannot find node "${word}" in cluster "${plan.name}"${
      meant === undefined ? "" : `; did you mean "${meant}"?`
    }`,
    next: `talosctl cluster show --name ${plan.name}`,
    details: { node: word, nodes: names },
  });
}
