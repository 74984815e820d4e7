import type { OperatorSpecSpec, ProbeSpecSpec, RouteStatusSpec } from "@talos-ts/machinery/resources/network";
import type { ConfigLayer } from "./config-layers.ts";

/** Namespace of specs per source, before they are merged. */
export const configNamespace = "network-config";

/** Link name of addresses that the platform sees from outside. */
export const externalLink = "external";

export function layeredId(layer: ConfigLayer, id: string): string {
  return `${layer}/${id}`;
}

export function addressId(link: string, address: string): string {
  return `${link}/${address}`;
}

/** Routes of the main table go by family, gateway, destination and metric; IPv6 also by link, as it repeats itself. */
export function routeId(
  route: Pick<RouteStatusSpec, "table" | "family" | "dst" | "gateway" | "priority" | "outLinkName">,
): string {
  const table = route.table === "main" ? "" : `${route.table}/`;
  const link = route.family === "inet6" ? `${route.outLinkName}/` : "";
  return `${table}${link}${route.family}/${route.gateway}/${route.dst}/${String(route.priority)}`;
}

export function routingRuleId(ruleFamily: string, priority: number): string {
  return `${ruleFamily}/${String(priority).padStart(5, "0")}`;
}

export function operatorId(spec: OperatorSpecSpec): string {
  const address = spec.operator === "vip" ? `/${spec.vip.ip}` : "";
  return `${spec.operator}/${spec.linkName}${address}`;
}

export function probeId({ tcp }: ProbeSpecSpec): string {
  return `tcp:${tcp.endpoint}`;
}
