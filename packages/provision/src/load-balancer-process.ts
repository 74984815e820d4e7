import { defaultControlPlanePort } from "@talos-ts/machinery/constants";
import type { ClusterPlan } from "./cluster-plan.ts";
import { controlPlaneAddresses, hasLoadBalancer } from "./control-plane-endpoint.ts";
import { startHostProcess } from "./host-process.ts";

/**
 * Starts the load balancer of a cluster unless it runs or the cluster has none; resolves when it listens.
 *
 * @param command Command line of a program that takes `--listen`, `--upstreams` and `--cluster-directory`.
 */
export async function startLoadBalancer(
  plan: Pick<ClusterPlan, "directory" | "network" | "nodes">,
  command: readonly string[],
): Promise<void> {
  if (!hasLoadBalancer(plan)) return;
  const { directory, network } = plan;
  await startHostProcess(directory, {
    title: "load balancer",
    code: "provision/no-load-balancer",
    command,
    args: ["--listen", network.gateway, "--upstreams", controlPlaneAddresses(plan).join(",")],
    listen: { host: network.gateway, port: defaultControlPlanePort },
    log: "load-balancer.log",
  });
}
