import type { ClusterPlan } from "./cluster-plan.ts";

/** The commands a person runs after `cluster create`: who is there, what runs, and what is still missing. */
export function nextCommands(plan: ClusterPlan, context: string = plan.name): string[] {
  const first = plan.nodes.find((node) => node.type === "controlplane")?.address ?? "";
  const all = plan.nodes.map((node) => node.address).join(",");
  return [
    `talosctl --context ${context} --nodes ${all} version`,
    `talosctl --context ${context} --nodes ${all} services`,
    `talosctl --context ${context} --nodes ${first} get machinestatus -o yaml`,
  ];
}
