import { hostPort } from "@talos-ts/base";
import { defaultControlPlanePort } from "@talos-ts/machinery/constants";
import type { ClusterPlan } from "./cluster-plan.ts";

/** Addresses of the control planes, in the order of the plan. */
export function controlPlaneAddresses({ nodes }: Pick<ClusterPlan, "nodes">): readonly string[] {
  return nodes.filter(({ type }) => type === "controlplane").map(({ address }) => address);
}

/** Reports whether the endpoint is balanced over control planes; a single one is reached directly. */
export function hasLoadBalancer(plan: Pick<ClusterPlan, "nodes">): boolean {
  return controlPlaneAddresses(plan).length > 1;
}

/** Address behind which the Kubernetes API is: the load balancer on the gateway, or the only control plane. */
export function endpointAddress(plan: Pick<ClusterPlan, "nodes" | "network">): string {
  return hasLoadBalancer(plan) ? plan.network.gateway : (controlPlaneAddresses(plan)[0] ?? "");
}

/** URL of the Kubernetes API. */
export function kubernetesEndpoint(plan: Pick<ClusterPlan, "nodes" | "network">): string {
  return `https://${hostPort(endpointAddress(plan), defaultControlPlanePort)}`;
}
