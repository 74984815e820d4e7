import { isIPv4, isIPv6 } from "node:net";
import type { Controller } from "@talos-ts/cosi";
import { ResolverSpec, type ResolverSpecSpec } from "@talos-ts/machinery/resources/network";
import { byLayer } from "./internal/config-layers.ts";
import { layeredMerge } from "./internal/layered-merge.ts";

/**
 * Merges resolver specs. Search domains of all layers add up, higher layers first. DNS servers of a higher layer replace those
 * below it per address family; those of the configuration replace all.
 */
export function resolverMergeController(): Controller {
  return layeredMerge(ResolverSpec, (specs) => {
    const [lowest, ...higher] = byLayer(specs);
    if (lowest === undefined) return [];
    const merged = higher.reduce(overlay, lowest);
    return merged.dnsServers.length === 0 ? [] : [[ResolverSpec.id, merged]];
  });
}

function overlay(below: ResolverSpecSpec, above: ResolverSpecSpec): ResolverSpecSpec {
  return {
    dnsServers: mergeServers(below, above),
    searchDomains: [...new Set([...above.searchDomains, ...below.searchDomains])],
    layer: above.layer,
  };
}

function mergeServers(below: ResolverSpecSpec, above: ResolverSpecSpec): readonly string[] {
  if (above.dnsServers.length === 0) return below.dnsServers;
  if (above.layer === below.layer) return [...below.dnsServers, ...above.dnsServers];
  return above.layer === "configuration" ? above.dnsServers : replacePerFamily(below.dnsServers, above.dnsServers);
}

/** Keeps the servers of a lower layer only for an address family that the higher layer does not name. */
function replacePerFamily(below: readonly string[], above: readonly string[]): readonly string[] {
  const kept = [isIPv4, isIPv6].flatMap((test) => (above.some((ip) => test(ip)) ? [] : below.filter((ip) => test(ip))));
  return [...above, ...kept];
}
