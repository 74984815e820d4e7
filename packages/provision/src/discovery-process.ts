import { hostPort } from "@talos-ts/base";
import type { ClusterPlan } from "./cluster-plan.ts";
import { startHostProcess } from "./host-process.ts";

/** Port of the discovery service on the gateway of a cluster, which is an address of the host. */
const port = 3000;

/** Returns where the nodes of a cluster find each other. Not encrypted: what they tell is, and it never leaves the host. */
export function discoveryEndpoint({ network }: Pick<ClusterPlan, "network">): string {
  return `http://${hostPort(network.gateway, port)}/`;
}

/**
 * Starts the discovery service of a cluster unless it runs; resolves when it listens.
 *
 * @param command Command line of a program that takes `--listen` and `--cluster-directory`.
 */
export async function startDiscovery(
  { directory, network }: Pick<ClusterPlan, "directory" | "network">,
  command: readonly string[],
): Promise<void> {
  await startHostProcess(directory, {
    title: "discovery service",
    code: "provision/no-discovery",
    command,
    args: ["--listen", hostPort(network.gateway, port)],
    listen: { host: network.gateway, port },
    log: "discovery.log",
  });
}
