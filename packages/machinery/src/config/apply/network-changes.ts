import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config.ts";
import { linkKinds } from "../documents/shared/link.ts";

/** Documents that decide whether, and by which way, a machine can be reached. */
const kinds: ReadonlySet<string> = new Set([
  ...linkKinds,
  "BlackholeRouteConfig",
  "DHCPv4Config",
  "DHCPv6Config",
  "EthernetConfig",
  "HCloudVIPConfig",
  "KubeSpanConfig",
  "Layer2VIPConfig",
  "LinkAliasConfig",
  "NetworkDefaultActionConfig",
  "NetworkRuleConfig",
  "RoutingRuleConfig",
]);

/**
 * Lists what a new configuration changes about links, addresses, routes and the firewall: settings with which a machine can
 * become unreachable. Documents are named by kind and name.
 */
export function networkChanges(current: Config, next: Config): readonly string[] {
  const [before, after] = [documentsOf(current), documentsOf(next)];
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (id) => !isDeepStrictEqual(before.get(id), after.get(id)),
  );
  const interfaces = "machine.network.interfaces";
  const same = isDeepStrictEqual(current.machine?.network?.interfaces ?? [], next.machine?.network?.interfaces ?? []);
  return [...(same ? [] : [interfaces]), ...changed.toSorted((a, b) => (a < b ? -1 : 1))];
}

function documentsOf({ documents }: Config): ReadonlyMap<string, unknown> {
  return new Map(
    documents.filter(({ kind }) => kinds.has(kind)).map(({ kind, name, value }) => [`${kind} ${name}`.trim(), value]),
  );
}
