import type { Address } from "../network/address.ts";
import { addressBytes, maskPrefix, parsePrefix } from "@talos-ts/base/net";
import { linkFlags, type Link } from "../network/link.ts";
import type { MonitorOptions, NetworkEvent, NetworkGroup, NetworkMonitor } from "../network/network.ts";
import { routeTables, scopes, type Route } from "../network/route.ts";
import type { Rule } from "../network/rule.ts";
import { createListeners } from "./listeners.ts";

const groupOf = {
  link: "links",
  address: "addresses",
  route: "routes",
  rule: "rules",
  overrun: "links",
} as const satisfies Record<NetworkEvent["kind"], NetworkGroup>;

const PROTOCOL_KERNEL = 2;

/** The tables of one network namespace in memory, and who listens to them. */
export interface MemoryNamespace {
  readonly links: Map<number, Link>;
  readonly peers: Map<number, { readonly namespace: MemoryNamespace; readonly index: number }>;
  /** Readers of the packets of a link, by its index. */
  readonly packetReaders: Map<number, Set<(packet: Buffer) => void>>;
  addresses: readonly Address[];
  routes: readonly Route[];
  rules: readonly Rule[];
  /** Addresses that were announced to neighbours, as `<link> <address>`. */
  readonly announced: string[];
  emit(event: NetworkEvent): void;
  monitor(options: MonitorOptions): NetworkMonitor;
  /** Adds or drops the routes the kernel itself keeps for the addresses of a link that goes up or down. */
  followLink(index: number): void;
}

/** Reports whether an address is in a prefix. */
export function contains(prefix: string, address: string): boolean {
  const { length } = parsePrefix(prefix);
  if (addressBytes(address).length !== addressBytes(parsePrefix(prefix).address).length) return false;
  return maskPrefix(`${address}/${String(length)}`) === maskPrefix(prefix);
}

export function createMemoryNamespace(): MemoryNamespace {
  const listeners = createListeners<NetworkEvent>();

  const connected = (address: Address): Route => ({
    family: address.family,
    destination: maskPrefix(address.address),
    source: address.family === "inet4" ? address.local : undefined,
    gateway: undefined,
    linkIndex: address.linkIndex,
    table: routeTables.main,
    priority: address.priority !== 0 || address.family === "inet4" ? address.priority : 256,
    scope: address.family === "inet4" ? scopes.link : scopes.global,
    type: 1,
    flags: 0,
    protocol: PROTOCOL_KERNEL,
    mtu: 0,
    nextHops: [],
  });

  const namespace: MemoryNamespace = {
    links: new Map(),
    peers: new Map(),
    packetReaders: new Map(),
    addresses: [],
    routes: [],
    announced: [],
    rules: (["inet4", "inet6"] as const).flatMap((family) =>
      (family === "inet4" ? [255, 254, 253] : [255, 254]).map((table, index) => ({
        family,
        source: undefined,
        destination: undefined,
        table,
        priority: index === 0 ? 0 : 32_765 + index,
        action: 1,
        inputLink: undefined,
        outputLink: undefined,
        firewallMark: 0,
        firewallMask: 0,
        protocol: PROTOCOL_KERNEL,
      })),
    ),
    emit: (event) => listeners.emit(event),
    monitor: ({ groups, signal }) =>
      listeners.listen({ signal, accept: (event) => groups === undefined || groups.includes(groupOf[event.kind]) }),
    followLink(index) {
      const up = ((namespace.links.get(index)?.flags ?? 0) & linkFlags.up) !== 0;
      const wanted = up ? namespace.addresses.filter((address) => address.linkIndex === index).map(connected) : [];
      const stays = (route: Route): boolean =>
        route.linkIndex !== index ||
        (up && (route.protocol !== PROTOCOL_KERNEL || wanted.some((other) => other.destination === route.destination)));
      const gone = namespace.routes.filter((route) => !stays(route));
      const come = wanted.filter(
        (route) =>
          !namespace.routes.some((other) => other.linkIndex === index && other.destination === route.destination),
      );
      namespace.routes = [...namespace.routes.filter(stays), ...come];
      for (const route of gone) namespace.emit({ kind: "route", action: "deleted", route });
      for (const route of come) namespace.emit({ kind: "route", action: "new", route });
    },
  };
  return namespace;
}
