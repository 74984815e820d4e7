import { hasErrno, kernelError } from "../ffi/errno.ts";
import { messageFlags, type NetlinkMessage } from "../netlink/message.ts";
import { createNetlinkCall, type NetlinkCall } from "../netlink/request.ts";
import { rtm } from "../netlink/route-types.ts";
import { openNamespaceFile, openNetlink, type NetlinkSocket } from "../netlink/socket.ts";
import { u32 } from "../netlink/values.ts";
import { decodeAddress, encodeAddress, encodeAddressHeader } from "./address-codec.ts";
import type { Family } from "./family.ts";
import { gratuitousArp, sendArpFrame } from "./gratuitous-arp.ts";
import { ifla } from "./link-attributes.ts";
import { decodeLink, encodeLinkByName, encodeLinkChange, encodeLinkHeader } from "./link-codec.ts";
import type { NamespaceAttribute } from "./link-info-codec.ts";
import type { Link, LinkChange, LinkCreate } from "./link.ts";
import { createLinuxEthernet } from "./linux-ethernet.ts";
import { createLinuxWireguard } from "./linux-wireguard.ts";
import { openMonitor } from "./linux-monitor.ts";
import { openPacketCapture } from "./linux-packet-capture.ts";
import { openPacketSocket } from "./linux-packet-socket.ts";
import type { Network, Networks } from "./network.ts";
import { decodeRoute, encodeRoute, encodeRouteHeader } from "./route-codec.ts";
import { decodeRule, encodeRule, encodeRuleHeader } from "./rule-codec.ts";

const { NLM_F_CREATE, NLM_F_DUMP, NLM_F_EXCL, NLM_F_REPLACE } = messageFlags;

/** Encodes a link with the descriptors of the namespaces it names held open until it is sent. */
async function withNamespaces<T>(send: (namespace: NamespaceAttribute) => Promise<T>): Promise<T> {
  using opened = new DisposableStack();
  return await send((target) => {
    if ("pid" in target) return { type: ifla.NET_NS_PID, value: u32(target.pid) };
    return { type: ifla.NET_NS_FD, value: u32(opened.use(openNamespaceFile(target.path)).fd) };
  });
}

const createOrReplace = (replace: boolean | undefined): number =>
  NLM_F_CREATE | (replace === true ? NLM_F_REPLACE : NLM_F_EXCL);

function createNetwork(networkNamespace?: string): Network {
  const ethernet = createLinuxEthernet(networkNamespace);
  const wireguard = createLinuxWireguard(networkNamespace);
  let opening: Promise<{ readonly socket: NetlinkSocket; readonly call: NetlinkCall }> | undefined;
  const call: NetlinkCall = async (request) => {
    opening ??= openNetlink({ protocol: "route", networkNamespace }).then((socket) => ({
      socket,
      call: createNetlinkCall(socket),
    }));
    return (await opening).call(request);
  };

  /** A table of both families; a kernel without one of them has no rows of it. */
  async function dump<T>(
    action: string,
    type: number,
    header: (family: Family) => Buffer,
    decode: (payload: Buffer) => T | undefined,
  ): Promise<readonly T[]> {
    const rows: T[] = [];
    for (const family of ["inet4", "inet6"] as const) {
      const messages = await call({ type, flags: NLM_F_DUMP, payload: header(family), action }).catch(
        (err: unknown): readonly NetlinkMessage[] => {
          if (hasErrno(err, "EAFNOSUPPORT") || hasErrno(err, "EOPNOTSUPP")) return [];
          throw err;
        },
      );
      for (const message of messages) {
        const row = decode(message.payload);
        if (row !== undefined) rows.push(row);
      }
    }
    return rows;
  }

  async function findLink(which: string | number): Promise<Link | undefined> {
    const payload = typeof which === "number" ? encodeLinkHeader(which) : encodeLinkByName(which);
    try {
      const [message] = await call({ type: rtm.GETLINK, payload, action: `read link "${String(which)}"` });
      return message === undefined ? undefined : decodeLink(message.payload);
    } catch (err) {
      if (hasErrno(err, "ENODEV")) return undefined;
      throw err;
    }
  }

  async function sendLink(type: number, index: number, change: LinkChange | LinkCreate, action: string): Promise<void> {
    const flags = type === rtm.NEWLINK && index === 0 ? NLM_F_CREATE | NLM_F_EXCL : 0;
    await withNamespaces((namespace) =>
      call({ type, flags, payload: encodeLinkChange(index, change, namespace), action, details: { ...change, index } }),
    );
  }

  return {
    async links() {
      const messages = await call({
        type: rtm.GETLINK,
        flags: NLM_F_DUMP,
        payload: encodeLinkHeader(),
        action: "list links",
      });
      return messages.map((message) => decodeLink(message.payload));
    },
    link: findLink,
    async createLink(link) {
      await sendLink(rtm.NEWLINK, 0, link, `create link "${link.name}" of kind "${link.info.kind}"`);
      return link.networkNamespace === undefined ? await findLink(link.name) : undefined;
    },
    async changeLink(index, change) {
      // Settings of the kind travel only in NEWLINK, everything else in SETLINK.
      const type = change.info === undefined ? rtm.SETLINK : rtm.NEWLINK;
      const { networkNamespace: _, info: __, ...said } = change;
      await sendLink(type, index, change, `change link ${String(index)} to ${JSON.stringify(said)}`);
    },
    async deleteLink(index) {
      await call({ type: rtm.DELLINK, payload: encodeLinkHeader(index), action: `delete link ${String(index)}` });
    },

    addresses: () => dump("list addresses", rtm.GETADDR, encodeAddressHeader, decodeAddress),
    async addAddress(address, { replace } = {}) {
      await call({
        type: rtm.NEWADDR,
        flags: createOrReplace(replace),
        payload: encodeAddress(address),
        action: `add address "${address.address}" to link ${String(address.linkIndex)}`,
        details: { ...address },
      });
    },
    async announceAddress(linkIndex, address) {
      const link = await findLink(linkIndex);
      const action = `announce on link ${String(linkIndex)}`;
      if (link === undefined) throw kernelError({ area: "netlink", action, errno: "ENODEV" });
      const { hardwareAddress } = link;
      if (/^[0:]*$/.test(hardwareAddress)) return;
      await sendArpFrame(linkIndex, gratuitousArp(hardwareAddress, address), networkNamespace);
    },
    async deleteAddress(address) {
      await call({
        type: rtm.DELADDR,
        payload: encodeAddress(address),
        action: `delete address "${address.address}" from link ${String(address.linkIndex)}`,
        details: { ...address },
      });
    },

    routes: () => dump("list routes", rtm.GETROUTE, encodeRouteHeader, decodeRoute),
    async addRoute(route, { replace } = {}) {
      await call({
        type: rtm.NEWROUTE,
        flags: createOrReplace(replace),
        payload: encodeRoute(route),
        action: `add route to "${route.destination ?? "default"}" via "${route.gateway ?? "link"}"`,
        details: { ...route },
      });
    },
    async deleteRoute(route) {
      await call({
        type: rtm.DELROUTE,
        payload: encodeRoute(route, "delete"),
        action: `delete route to "${route.destination ?? "default"}" via "${route.gateway ?? "link"}"`,
        details: { ...route },
      });
    },

    rules: () => dump("list routing rules", rtm.GETRULE, encodeRuleHeader, decodeRule),
    async addRule(rule) {
      await call({
        type: rtm.NEWRULE,
        flags: NLM_F_CREATE | NLM_F_EXCL,
        payload: encodeRule(rule),
        action: `add routing rule ${String(rule.priority ?? "without priority")}`,
        details: { ...rule },
      });
    },
    async deleteRule(rule) {
      await call({
        type: rtm.DELRULE,
        payload: encodeRule(rule),
        action: `delete routing rule ${String(rule.priority ?? "without priority")}`,
        details: { ...rule },
      });
    },

    ethernet,
    wireguard,
    monitor: (options) => openMonitor(networkNamespace, options),
    openPackets: (linkIndex) => openPacketSocket(networkNamespace, linkIndex),
    openCapture: (options) => openPacketCapture(networkNamespace, options),
    [Symbol.dispose]() {
      ethernet[Symbol.dispose]();
      wireguard[Symbol.dispose]();
      void opening?.then(({ socket }) => socket[Symbol.dispose]()).catch(() => undefined);
      opening = undefined;
    },
  };
}

/** rtnetlink of the running kernel. */
export function createLinuxNetworks(): Networks {
  return {
    here: createNetwork(),
    async open(networkNamespace) {
      const network = createNetwork(networkNamespace);
      // Fails here rather than at the first use when the namespace is gone.
      await network.link(1);
      return network;
    },
  };
}
