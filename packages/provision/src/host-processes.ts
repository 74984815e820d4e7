import type { ClusterPlan } from "./cluster-plan.ts";
import { startDiscovery } from "./discovery-process.ts";
import { startLoadBalancer } from "./load-balancer-process.ts";
import { startSupervisor } from "./supervisor-process.ts";

/** Command lines of the programs that run on the host for a cluster. */
export interface HostCommands {
  /** See `startDiscovery`. @default the cluster has no discovery service */
  readonly discovery?: readonly string[];
  /** See `startLoadBalancer`. @default nothing listens at the endpoint of several control planes */
  readonly loadBalancer?: readonly string[];
  /** See `startSupervisor`. @default nodes that die stay dead */
  readonly supervisor?: readonly string[];
}

/** Starts what does not run. The network of the cluster must exist, since they listen on its gateway. */
export async function startHostProcesses(
  plan: ClusterPlan,
  { discovery, loadBalancer, supervisor }: HostCommands,
): Promise<void> {
  await Promise.all([
    discovery === undefined ? undefined : startDiscovery(plan, discovery),
    loadBalancer === undefined ? undefined : startLoadBalancer(plan, loadBalancer),
    supervisor === undefined ? undefined : startSupervisor(plan, supervisor),
  ]);
}
