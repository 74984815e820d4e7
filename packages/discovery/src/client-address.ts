import { isIP } from "node:net";
import { unmapAddress } from "@talos-ts/base/net";
import type { CallContext } from "@talos-ts/grpc";

/** Says who calls, as an IP address; `undefined` for a unix socket. */
export type ClientAddress = (context: Pick<CallContext, "peer" | "metadata">) => string | undefined;

/** The other end of the connection. */
export const connectedAddress: ClientAddress = ({ peer }) =>
  peer.ip === undefined ? undefined : unmapAddress(peer.ip);

/** Takes the address from `x-real-ip` or `x-forwarded-for`, else from the connection. Only for servers behind a proxy: any client can set the headers. */
export const forwardedAddress: ClientAddress = (context) => {
  const said = ["x-real-ip", "x-forwarded-for"].map((name) => String(context.metadata.get(name) ?? ""));
  const address = said.map((text) => text.split(",", 1)[0]?.trim() ?? "").find((text) => isIP(text) !== 0);
  return address === undefined ? connectedAddress(context) : unmapAddress(address);
};
