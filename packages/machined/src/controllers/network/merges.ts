import type { Controller } from "@talos-ts/cosi";
import { isIPv4, isIPv6 } from "node:net";
import {
  AddressSpec,
  HostnameSpec,
  LinkSpec,
  OperatorSpec,
  ProbeSpec,
  ResolverSpec,
  RouteSpec,
  RoutingRuleSpec,
  TimeServerSpec,
  type HostnameSpecSpec,
  type LinkSpecSpec,
  type ResolverSpecSpec,
  type RouteSpecSpec,
  type TimeServerSpecSpec,
} from "@talos-ts/machinery/resources/network";
import { addressId, operatorId, probeId, routeId, routingRuleId } from "./ids.ts";
import { layeredMerge, type Merge } from "./layered-merge.ts";
import { byLayer, rankOf, type ConfigLayer } from "./layers.ts";

/** Per id the spec of the highest layer; on the same layer the first. */
function highestWins<S extends { readonly layer: ConfigLayer }>(idOf: (spec: S) => string): Merge<S> {
  return (specs) => {
    const winners = new Map<string, S>();
    for (const spec of specs) {
      const current = winners.get(idOf(spec));
      if (current === undefined || rankOf(spec) > rankOf(current)) winners.set(idOf(spec), spec);
    }
    return winners;
  };
}

const mergeHostnames: Merge<HostnameSpecSpec> = (specs) =>
  highestWins<HostnameSpecSpec>(() => HostnameSpec.id)(specs.filter(({ hostname }) => hostname !== ""));

/** Servers of the same layer add up, those of a higher one replace them. */
const mergeTimeServers: Merge<TimeServerSpecSpec> = (specs) => {
  const top = byLayer(specs.filter(({ timeServers }) => timeServers.length > 0)).at(-1);
  if (top === undefined) return [];
  const timeServers = specs.filter(({ layer }) => layer === top.layer).flatMap((spec) => spec.timeServers);
  return [[TimeServerSpec.id, { ...top, timeServers }]];
};

/** A layer replaces the servers below it, except those of a family it says nothing about. */
function replaceServers(below: readonly string[], above: readonly string[]): readonly string[] {
  const kept = [isIPv4, isIPv6].flatMap((test) => (above.some((ip) => test(ip)) ? [] : below.filter((ip) => test(ip))));
  return [...above, ...kept];
}

/** Search domains of all layers add up, higher layers first; the configuration decides the servers alone. */
const mergeResolvers: Merge<ResolverSpecSpec> = (specs) => {
  let merged: ResolverSpecSpec | undefined;
  for (const spec of byLayer(specs)) {
    if (merged === undefined) {
      merged = spec;
      continue;
    }
    const below: ResolverSpecSpec = merged;
    const searchDomains = [...new Set([...spec.searchDomains, ...below.searchDomains])];
    const dnsServers = mergedServers(below, spec);
    merged = { dnsServers, searchDomains, layer: spec.layer };
  }
  return merged === undefined || merged.dnsServers.length === 0 ? [] : [[ResolverSpec.id, merged]];
};

function mergedServers(below: ResolverSpecSpec, above: ResolverSpecSpec): readonly string[] {
  if (above.dnsServers.length === 0) return below.dnsServers;
  if (above.layer === below.layer) return [...below.dnsServers, ...above.dnsServers];
  return above.layer === "configuration" ? above.dnsServers : replaceServers(below.dnsServers, above.dnsServers);
}

/** What a higher layer says about a link is laid over what the lower ones say. */
const mergeLinks: Merge<LinkSpecSpec> = (specs) => {
  const links = new Map<string, LinkSpecSpec>();
  for (const spec of byLayer(specs)) {
    const below = links.get(spec.name);
    links.set(spec.name, below === undefined ? spec : overlay(below, spec));
  }
  return links;
};

function overlay(below: LinkSpecSpec, above: LinkSpecSpec): LinkSpecSpec {
  const zero = LinkSpec.spec();
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (JSON.stringify(value) !== JSON.stringify(zero[key as keyof LinkSpecSpec])) merged[key] = value;
  }
  return merged as unknown as LinkSpecSpec;
}

/** One controller per kind of spec. */
export function mergeControllers(): readonly Controller[] {
  return [
    layeredMerge(
      AddressSpec,
      highestWins(({ linkName, address }) => addressId(linkName, address)),
    ),
    layeredMerge(HostnameSpec, mergeHostnames),
    layeredMerge(LinkSpec, mergeLinks),
    layeredMerge(OperatorSpec, highestWins(operatorId)),
    layeredMerge(ProbeSpec, highestWins(probeId)),
    layeredMerge(ResolverSpec, mergeResolvers),
    layeredMerge(RouteSpec, highestWins<RouteSpecSpec>(routeId)),
    layeredMerge(
      RoutingRuleSpec,
      highestWins((spec) => routingRuleId(spec.family, spec.priority)),
    ),
    layeredMerge(TimeServerSpec, mergeTimeServers),
  ];
}
