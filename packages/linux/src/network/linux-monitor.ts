import { parseMessages, type NetlinkMessage } from "../netlink/message.ts";
import { groups, rtm } from "../netlink/route-types.ts";
import { openNetlink } from "../netlink/socket.ts";
import { subscribe } from "../netlink/subscription.ts";
import { decodeAddress } from "./address-codec.ts";
import { decodeLink } from "./link-codec.ts";
import type { MonitorOptions, NetworkEvent, NetworkGroup, NetworkMonitor } from "./network.ts";
import { decodeRoute } from "./route-codec.ts";
import { decodeRule } from "./rule-codec.ts";

type Decode = (payload: Buffer, action: "new" | "deleted") => NetworkEvent | undefined;

const link: Decode = (payload, action) => ({ kind: "link", action, link: decodeLink(payload) });
const address: Decode = (payload, action) => {
  const decoded = decodeAddress(payload);
  return decoded === undefined ? undefined : { kind: "address", action, address: decoded };
};
const route: Decode = (payload, action) => {
  const decoded = decodeRoute(payload);
  return decoded === undefined ? undefined : { kind: "route", action, route: decoded };
};
const rule: Decode = (payload, action) => {
  const decoded = decodeRule(payload);
  return decoded === undefined ? undefined : { kind: "rule", action, rule: decoded };
};

const decoders = new Map<number, (payload: Buffer) => NetworkEvent | undefined>(
  (
    [
      [rtm.NEWLINK, rtm.DELLINK, link],
      [rtm.NEWADDR, rtm.DELADDR, address],
      [rtm.NEWROUTE, rtm.DELROUTE, route],
      [rtm.NEWRULE, rtm.DELRULE, rule],
    ] as const
  ).flatMap(([created, deleted, decode]) => [
    [created, (payload: Buffer) => decode(payload, "new")] as const,
    [deleted, (payload: Buffer) => decode(payload, "deleted")] as const,
  ]),
);

/** The event in a multicast message; `undefined` for what nobody asked for. */
export function decodeNetworkEvent(message: NetlinkMessage): NetworkEvent | undefined {
  return decoders.get(message.type)?.(message.payload);
}

const everything: readonly NetworkGroup[] = ["links", "addresses", "routes", "rules"];

export async function openMonitor(
  networkNamespace: string | undefined,
  { groups: wanted = everything, signal }: MonitorOptions = {},
): Promise<NetworkMonitor> {
  const mask = wanted.reduce((bits, group) => bits | groups[group], 0);
  const receiveBufferBytes = 4 * 1024 * 1024;
  const socket = await openNetlink({ protocol: "route", groups: mask, networkNamespace, receiveBufferBytes });
  return subscribe<NetworkEvent>(socket, {
    decode: (datagram) =>
      parseMessages(datagram)
        .map(decodeNetworkEvent)
        .filter((event) => event !== undefined),
    overrun: { kind: "overrun" },
    signal,
  });
}
