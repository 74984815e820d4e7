import { kernelError, type ErrnoName } from "../ffi/errno.ts";
import type { Address } from "../network/address.ts";
import { familyOf } from "../network/family.ts";
import { maskPrefix, parsePrefix } from "@talos-ts/base/net";
import { linkFlags, type Link } from "../network/link.ts";
import type { Network, Networks } from "../network/network.ts";
import { routeFamily, routeScope } from "../network/route-codec.ts";
import { routeTables, type Route, type RouteSpec } from "../network/route.ts";
import type { Rule, RuleSpec } from "../network/rule.ts";
import { createMemoryEthernet } from "./memory-ethernet.ts";
import { createMemoryWireguard } from "./memory-wireguard.ts";
import { createMemoryLinks, type MemoryLinkWorld } from "./memory-links.ts";
import { openMemoryCapture } from "./memory-capture.ts";
import { openMemoryPackets } from "./memory-packets.ts";
import { contains, createMemoryNamespace, type MemoryNamespace } from "./memory-namespace.ts";

const FOREVER = 0xffffffff;
const IFA_F_PERMANENT = 0x80;
const RTNH_F_ONLINK = 4;

export interface MemoryNetworks extends Networks {
  createNamespace(path: string): void;
  deleteNamespace(path: string): void;
  /** Addresses that were announced to neighbours in the own namespace, as `<link> <address>`. */
  readonly announced: readonly string[];
}

export function createMemoryNetworks(announce: MemoryLinkWorld["announce"]): MemoryNetworks {
  const namespaces = new Map<string, MemoryNamespace>();
  const find = (path: string): MemoryNamespace => {
    const found = namespaces.get(path);
    if (found !== undefined) return found;
    throw kernelError({ area: "netlink", action: `open network namespace "${path}"`, errno: "ENOENT" });
  };
  const world: MemoryLinkWorld = {
    announce,
    resolve: (target) => find("path" in target ? target.path : `/proc/${String(target.pid)}/ns/net`),
  };
  const fresh = (up: boolean): MemoryNamespace => {
    const namespace = createMemoryNamespace();
    namespace.links.set(1, loopback(up));
    return namespace;
  };
  const home = fresh(true);
  namespaces.set("/proc/self/ns/net", home);
  return {
    here: createMemoryNetwork(home, world),
    open: async (path) => createMemoryNetwork(find(path), world),
    createNamespace: (path) => void namespaces.set(path, fresh(true)),
    deleteNamespace: (path) => void namespaces.delete(path),
    announced: home.announced,
  };
}

function loopback(up: boolean): Link {
  return {
    index: 1,
    name: "lo",
    type: 772,
    flags: linkFlags.loopback | (up ? linkFlags.up | linkFlags.running | linkFlags.lowerUp : 0),
    mtu: 65536,
    hardwareAddress: "00:00:00:00:00:00",
    permanentAddress: "",
    broadcastAddress: "00:00:00:00:00:00",
    linkIndex: 0,
    masterIndex: 0,
    operationalState: 0,
    queueDiscipline: "noqueue",
    alias: "",
    alternativeNames: [],
    kind: "",
    slaveKind: "",
    info: undefined,
    carrier: true,
    statistics: undefined,
  };
}

function createMemoryNetwork(home: MemoryNamespace, world: MemoryLinkWorld): Network {
  const links = createMemoryLinks(home, world);
  const refuse = (action: string, errno: ErrnoName): never => {
    throw kernelError({ area: "netlink", action, errno });
  };
  const findLink = (which: string | number): Link | undefined =>
    typeof which === "number" ? home.links.get(which) : home.links.values().find((link) => link.name === which);
  const normal = (prefix: string): string => {
    const { address, length } = parsePrefix(prefix);
    return `${address}/${String(length)}`;
  };
  const sameAddress = (spec: { address: string; linkIndex: number }) => (each: Address) =>
    each.address === normal(spec.address) && each.linkIndex === spec.linkIndex;

  /** The link a gateway is reached through. */
  const linkTo = (spec: RouteSpec): number | undefined => {
    if (spec.gateway === undefined || ((spec.flags ?? 0) & RTNH_F_ONLINK) !== 0) return spec.linkIndex ?? 0;
    const { gateway } = spec;
    return home.addresses.find(
      (address) =>
        contains(address.address, gateway) &&
        (spec.linkIndex === undefined || spec.linkIndex === address.linkIndex) &&
        ((home.links.get(address.linkIndex)?.flags ?? 0) & linkFlags.up) !== 0,
    )?.linkIndex;
  };
  const destinationOf = (spec: RouteSpec): string | undefined => {
    const masked = spec.destination === undefined ? undefined : maskPrefix(spec.destination);
    return masked?.endsWith("/0") === true ? undefined : masked;
  };
  const sameRoute = (spec: RouteSpec) => (route: Route) =>
    route.family === routeFamily(spec) &&
    route.destination === destinationOf(spec) &&
    route.table === (spec.table ?? routeTables.main) &&
    route.priority === (spec.priority ?? 0);
  const sameRule = (spec: RuleSpec) => (rule: Rule) =>
    rule.family === spec.family &&
    rule.source === (spec.source === undefined ? undefined : maskPrefix(spec.source)) &&
    rule.destination === (spec.destination === undefined ? undefined : maskPrefix(spec.destination)) &&
    (spec.table === undefined || rule.table === spec.table) &&
    (spec.priority === undefined || rule.priority === spec.priority) &&
    rule.firewallMark === (spec.firewallMark ?? 0);

  return {
    links: async () => [...home.links.values()].sort((one, other) => one.index - other.index),
    link: async (which) => findLink(which),
    createLink: async (link) => links.create(link),
    changeLink: async (index, change) => links.change(index, change),
    deleteLink: async (index) => links.delete(index),

    addresses: async () => [...home.addresses].sort((one, other) => one.family.localeCompare(other.family)),
    async addAddress(spec, { replace = false } = {}) {
      const action = `add address "${spec.address}" to link ${String(spec.linkIndex)}`;
      const link = home.links.get(spec.linkIndex) ?? refuse(action, "ENODEV");
      const text = normal(spec.address);
      const same = sameAddress(spec);
      if (home.addresses.some(same) && !replace) refuse(action, "EEXIST");
      const family = familyOf(parsePrefix(text).address);
      const validSeconds = spec.validSeconds ?? FOREVER;
      const address: Address = {
        family,
        address: text,
        local: family === "inet4" ? parsePrefix(text).address : undefined,
        broadcast: spec.broadcast,
        anycast: undefined,
        multicast: undefined,
        label: family === "inet4" ? (spec.label ?? link.name) : undefined,
        linkIndex: spec.linkIndex,
        scope: spec.scope ?? 0,
        flags: (spec.flags ?? 0) | (validSeconds === FOREVER ? IFA_F_PERMANENT : 0),
        priority: spec.priority ?? 0,
        validSeconds,
        preferredSeconds: spec.preferredSeconds ?? validSeconds,
      };
      home.addresses = [...home.addresses.filter((each) => !same(each)), address];
      home.emit({ kind: "address", action: "new", address });
      home.followLink(spec.linkIndex);
    },
    async announceAddress(linkIndex, address) {
      const link = home.links.get(linkIndex) ?? refuse(`announce on link ${String(linkIndex)}`, "ENODEV");
      home.announced.push(`${link.name} ${address}`);
    },
    async deleteAddress(spec) {
      const action = `delete address "${spec.address}" from link ${String(spec.linkIndex)}`;
      const address = home.addresses.find(sameAddress(spec)) ?? refuse(action, "EADDRNOTAVAIL");
      home.addresses = home.addresses.filter((each) => each !== address);
      home.emit({ kind: "address", action: "deleted", address });
      home.followLink(spec.linkIndex);
    },

    routes: async () => [...home.routes],
    async addRoute(spec, { replace = false } = {}) {
      const action = `add route to "${spec.destination ?? "default"}" via "${spec.gateway ?? "link"}"`;
      const linkIndex = linkTo(spec) ?? refuse(action, "ENETUNREACH");
      const same = sameRoute(spec);
      if (home.routes.some(same) && !replace) refuse(action, "EEXIST");
      const route: Route = {
        family: routeFamily(spec),
        destination: destinationOf(spec),
        source: spec.source,
        gateway: spec.gateway,
        linkIndex,
        table: spec.table ?? routeTables.main,
        priority: spec.priority ?? 0,
        scope: routeScope(spec),
        type: spec.type ?? 1,
        flags: spec.flags ?? 0,
        protocol: spec.protocol ?? 3,
        mtu: spec.mtu ?? 0,
        nextHops: (spec.nextHops ?? []).map((hop) => ({
          gateway: hop.gateway,
          linkIndex: hop.linkIndex,
          weight: hop.weight ?? 1,
        })),
      };
      home.routes = [...home.routes.filter((each) => !same(each)), route];
      home.emit({ kind: "route", action: "new", route });
    },
    async deleteRoute(spec) {
      const found = home.routes.find(
        (route) =>
          sameRoute({ priority: route.priority, ...spec })(route) &&
          (spec.gateway === undefined || route.gateway === spec.gateway) &&
          (spec.linkIndex === undefined || route.linkIndex === spec.linkIndex),
      );
      const action = `delete route to "${spec.destination ?? "default"}" via "${spec.gateway ?? "link"}"`;
      const route = found ?? refuse(action, "ESRCH");
      home.routes = home.routes.filter((each) => each !== route);
      home.emit({ kind: "route", action: "deleted", route });
    },

    rules: async () =>
      [...home.rules].sort((one, other) => one.family.localeCompare(other.family) || one.priority - other.priority),
    async addRule(spec) {
      if (home.rules.some(sameRule(spec))) {
        refuse(`add routing rule ${String(spec.priority ?? "without priority")}`, "EEXIST");
      }
      const lowest = Math.min(32_766, ...home.rules.filter((rule) => rule.priority > 0).map((rule) => rule.priority));
      const rule: Rule = {
        family: spec.family,
        source: spec.source === undefined ? undefined : maskPrefix(spec.source),
        destination: spec.destination === undefined ? undefined : maskPrefix(spec.destination),
        table: spec.table ?? 0,
        priority: spec.priority ?? lowest - 1,
        action: spec.action ?? 1,
        inputLink: spec.inputLink,
        outputLink: spec.outputLink,
        firewallMark: spec.firewallMark ?? 0,
        firewallMask: spec.firewallMask ?? (spec.firewallMark === undefined ? 0 : FOREVER),
        protocol: 0,
      };
      home.rules = [...home.rules, rule];
      home.emit({ kind: "rule", action: "new", rule });
    },
    async deleteRule(spec) {
      const found = home.rules.find(sameRule(spec));
      const rule = found ?? refuse(`delete routing rule ${String(spec.priority ?? "without priority")}`, "ENOENT");
      home.rules = home.rules.filter((each) => each !== rule);
      home.emit({ kind: "rule", action: "deleted", rule });
    },

    ethernet: createMemoryEthernet(home),
    wireguard: createMemoryWireguard(home),
    monitor: async (options = {}) => home.monitor(options),
    async openPackets(linkIndex) {
      if (!home.links.has(linkIndex)) refuse(`bind a packet socket to link ${String(linkIndex)}`, "ENODEV");
      return openMemoryPackets(home, linkIndex);
    },
    async openCapture(options) {
      if (!home.links.has(options.linkIndex))
        refuse(`bind a packet socket to link ${String(options.linkIndex)}`, "ENODEV");
      return openMemoryCapture(home, options);
    },
    [Symbol.dispose]: () => undefined,
  };
}
