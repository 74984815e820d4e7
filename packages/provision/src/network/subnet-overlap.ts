import { networkInterfaces } from "node:os";
import { OsError } from "@talos-ts/base";
import { parsePrefix, prefixesOverlap } from "@talos-ts/base/net";
import { clusterNetworksOf, type Config } from "@talos-ts/machinery/config";
import type { ClusterPlan } from "../cluster-plan.ts";

/**
 * Refuses a network of nodes that Kubernetes gives to pods or services: no node would find an address for its kubelet, and nothing
 * would ever become ready.
 *
 * @param taken Networks of this machine, which the proposal leaves alone. Default: those of its links.
 * @throws OsError `provision/subnet-overlap` with a subnet that is free
 */
export function refuseOverlap({ name, network }: ClusterPlan, config: Config, taken = hostNetworks()): void {
  const { podSubnets, serviceSubnets } = clusterNetworksOf(config);
  const kubernetes = [
    ...podSubnets.map((subnet) => ({ use: "pods", subnet })),
    ...serviceSubnets.map((subnet) => ({ use: "services", subnet })),
  ];
  const found = kubernetes.find(({ subnet }) => prefixesOverlap(subnet, network.subnet));
  if (found === undefined) return;
  const free = freeSubnet(network.prefixLength, [...taken, ...kubernetes.map(({ subnet }) => subnet)]);
  throw new OsError({
    kind: "invalid-argument",
    code: "provision/subnet-overlap",
    message: `Cannot create a cluster with --subnet "${network.subnet}": it overlaps ${found.subnet}, the addresses that Kubernetes gives to ${found.use}`,
    ...(free !== undefined && { next: `talosctl cluster create --name ${name} --subnet ${free}` }),
    details: { option: "subnet", actual: network.subnet },
  });
}

/** Returns the first network of that size in 10.5.0.0 to 10.254.0.0 that overlaps none of the others. */
function freeSubnet(prefixLength: number, others: readonly string[]): string | undefined {
  return Array.from({ length: 250 }, (_, index) => `10.${String(index + 5)}.0.0/${String(prefixLength)}`).find(
    (subnet) => !others.some((other) => prefixesOverlap(other, subnet)),
  );
}

function hostNetworks(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ cidr }) => (cidr === null || parsePrefix(cidr).length === 0 ? [] : [cidr])),
  );
}
