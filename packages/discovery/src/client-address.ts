import { isIP } from "node:net";
import type { CallContext } from "@talos-ts/grpc";
import ipaddr from "ipaddr.js";

/** Says who calls, as an IP address; `undefined` for a unix socket. */
export type ClientAddress = (context: Pick<CallContext, "peer" | "metadata">) => string | undefined;

/** The other end of the connection. */
export const connectedAddress: ClientAddress = ({ peer }) => (peer.ip === undefined ? undefined : plain(peer.ip));

/** What a proxy in front says, and the proxy itself where it says nothing. Anybody could say so without a proxy. */
export const forwardedAddress: ClientAddress = (context) => {
  const said = ["x-real-ip", "x-forwarded-for"].map((name) => String(context.metadata.get(name) ?? ""));
  const address = said.map((text) => text.split(",", 1)[0]?.trim() ?? "").find((text) => isIP(text) !== 0);
  return address === undefined ? connectedAddress(context) : plain(address);
};

/** As bytes: 4 of them, or 16. */
export function addressBytes(address: string): Uint8Array {
  return Uint8Array.from(ipaddr.parse(address).toByteArray());
}

/** A listener for both families sees IPv4 as a part of IPv6; a zone means nothing to others. */
function plain(address: string): string {
  return ipaddr.process(address.replace(/%.*$/, "")).toString();
}
