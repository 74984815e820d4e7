import { kernelError, type ErrnoName } from "../ffi/errno.ts";
import { linkFlags, type Link, type LinkChange, type LinkCreate, type NamespaceTarget } from "../network/link.ts";
import type { MemoryNamespace } from "./memory-namespace.ts";

/** Describes what links share across namespaces. */
export interface MemoryLinkWorld {
  /** @throws OsError ENOENT */
  resolve(target: NamespaceTarget): MemoryNamespace;
  /** Tells udev's side of the world. */
  announce(action: "add" | "remove", link: Link): void;
}

const infos: Readonly<Record<string, object>> = {
  bridge: { stp: false, vlanFiltering: false },
  vlan: { protocol: 0x8100 },
};

export interface MemoryLinks {
  create(link: LinkCreate): Link | undefined;
  change(index: number, change: LinkChange): void;
  delete(index: number): void;
}

/** The links of one namespace. */
export function createMemoryLinks(home: MemoryNamespace, world: MemoryLinkWorld): MemoryLinks {
  const refuse = (action: string, errno: ErrnoName): never => {
    throw kernelError({ area: "netlink", action, errno });
  };
  const nextIndex = (namespace: MemoryNamespace): number => Math.max(0, ...namespace.links.keys()) + 1;
  const taken = (namespace: MemoryNamespace, name: string): boolean =>
    namespace.links.values().some((link) => link.name === name);

  const put = (namespace: MemoryNamespace, link: Link): Link => {
    namespace.links.set(link.index, link);
    namespace.emit({ kind: "link", action: "new", link });
    return link;
  };

  const blank = (namespace: MemoryNamespace, spec: LinkCreate): Link => {
    const index = nextIndex(namespace);
    const { peer: _, ...info } = { peer: undefined, ...infos[spec.info.kind], ...spec.info };
    return {
      index,
      name: spec.name,
      type: 1,
      flags: linkFlags.broadcast | linkFlags.multicast | (spec.up === true ? linkFlags.up | linkFlags.running : 0),
      mtu: spec.mtu ?? 1500,
      hardwareAddress:
        spec.hardwareAddress ??
        `02:00:00:00:${index >> 8 ? "01" : "00"}:${(index & 0xff).toString(16).padStart(2, "0")}`,
      permanentAddress: "",
      broadcastAddress: "ff:ff:ff:ff:ff:ff",
      linkIndex: spec.linkIndex ?? 0,
      masterIndex: spec.masterIndex ?? 0,
      operationalState: spec.up === true ? 6 : 2,
      queueDiscipline: "noqueue",
      alias: spec.alias ?? "",
      alternativeNames: [],
      kind: spec.info.kind,
      slaveKind: home.links.get(spec.masterIndex ?? 0)?.kind ?? "",
      info,
      carrier: spec.up === true,
      statistics: undefined,
    };
  };

  const drop = (namespace: MemoryNamespace, index: number): void => {
    const link = namespace.links.get(index);
    if (link === undefined) return;
    namespace.links.delete(index);
    for (const address of namespace.addresses.filter((each) => each.linkIndex === index)) {
      namespace.emit({ kind: "address", action: "deleted", address });
    }
    namespace.addresses = namespace.addresses.filter((address) => address.linkIndex !== index);
    namespace.followLink(index);
    namespace.emit({ kind: "link", action: "deleted", link });
    world.announce("remove", link);
    const peer = namespace.peers.get(index);
    namespace.peers.delete(index);
    if (peer !== undefined) drop(peer.namespace, peer.index);
    for (const each of namespace.links.values()) {
      if (each.masterIndex === index) put(namespace, { ...each, masterIndex: 0, slaveKind: "" });
      else if (each.linkIndex === index && each.kind === "vlan") drop(namespace, each.index);
    }
  };

  return {
    create(spec) {
      const action = `create link "${spec.name}" of kind "${spec.info.kind}"`;
      const namespace = spec.networkNamespace === undefined ? home : world.resolve(spec.networkNamespace);
      if (taken(namespace, spec.name)) refuse(action, "EEXIST");
      if (spec.info.kind === "vlan" && !home.links.has(spec.linkIndex ?? 0)) refuse(action, "ENODEV");
      if (spec.info.kind === "veth" && spec.info.peer !== undefined) {
        const { peer } = spec.info;
        const other = peer.networkNamespace === undefined ? home : world.resolve(peer.networkNamespace);
        if (taken(other, peer.name)) refuse(action, "EEXIST");
        const right = blank(other, { name: peer.name, info: { kind: "veth" } });
        other.links.set(right.index, right);
        const left = blank(namespace, spec);
        put(other, { ...right, linkIndex: left.index });
        put(namespace, { ...left, linkIndex: right.index });
        other.peers.set(right.index, { namespace, index: left.index });
        namespace.peers.set(left.index, { namespace: other, index: right.index });
        world.announce("add", right);
        world.announce("add", left);
        return namespace === home ? namespace.links.get(left.index) : undefined;
      }
      const link = put(namespace, blank(namespace, spec));
      world.announce("add", link);
      return namespace === home ? link : undefined;
    },
    change(index, change) {
      const { networkNamespace, info, up, multicast, ...plain } = change;
      const action = `change link ${String(index)} to ${JSON.stringify({ ...plain, up, multicast })}`;
      const link = home.links.get(index) ?? refuse(action, "ENODEV");
      if (plain.name !== undefined && plain.name !== link.name && taken(home, plain.name)) refuse(action, "EEXIST");
      const bit = (flags: number, wanted: boolean | undefined, flag: number): number =>
        wanted === undefined ? flags : wanted ? flags | flag : flags & ~flag;
      const flags = bit(bit(link.flags, up, linkFlags.up | linkFlags.running), multicast, linkFlags.multicast);
      const isUp = (flags & linkFlags.up) !== 0;
      const changed: Link = {
        ...link,
        ...plain,
        flags,
        carrier: isUp,
        operationalState: link.type === 772 ? 0 : isUp ? 6 : 2,
        slaveKind: plain.masterIndex === undefined ? link.slaveKind : (home.links.get(plain.masterIndex)?.kind ?? ""),
        info: info === undefined ? link.info : { ...link.info, ...info },
      };
      if (networkNamespace !== undefined) {
        const target = world.resolve(networkNamespace);
        const moved = { ...changed, index: nextIndex(target), masterIndex: 0, slaveKind: "" };
        const peer = home.peers.get(index);
        home.peers.delete(index);
        drop(home, index);
        put(target, moved);
        if (peer !== undefined) {
          target.peers.set(moved.index, peer);
          peer.namespace.peers.set(peer.index, { namespace: target, index: moved.index });
        }
        return;
      }
      put(home, changed);
      home.followLink(index);
    },
    delete(index) {
      if (!home.links.has(index)) refuse(`delete link ${String(index)}`, "ENODEV");
      drop(home, index);
    },
  };
}
