import type { ClusterPlan } from "./cluster-plan.ts";

/** The commands a person runs after `cluster create`: start etcd, get access, look. */
export function nextCommands(plan: ClusterPlan, context: string = plan.name): string[] {
  const first = plan.nodes.find((node) => node.type === "controlplane")?.address ?? "";
  return [
    `talosctl --context ${context} bootstrap --nodes ${first}`,
    `talosctl --context ${context} health --nodes ${first}`,
    `talosctl --context ${context} kubeconfig --nodes ${first}`,
  ];
}
