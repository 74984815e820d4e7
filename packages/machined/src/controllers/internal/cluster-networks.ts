import type { ClusterSection } from "@talos-ts/machinery/config";
import { defaultPodSubnets, defaultServiceSubnets } from "@talos-ts/machinery/constants";

/** Subnets of pods; those of every cluster when the configuration names none. */
export function podSubnets(cluster: ClusterSection): readonly string[] {
  const { podSubnets: given = [] } = cluster.network ?? {};
  return given.length === 0 ? [defaultPodSubnets.ipv4] : given;
}

/** Subnets of services; those of every cluster when the configuration names none. */
export function serviceSubnets(cluster: ClusterSection): readonly string[] {
  const { serviceSubnets: given = [] } = cluster.network ?? {};
  return given.length === 0 ? [defaultServiceSubnets.ipv4] : given;
}
