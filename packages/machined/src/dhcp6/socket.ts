import { createSocket } from "node:dgram";
import { OsError } from "@talos-ts/base";
import type { Network } from "@talos-ts/linux";

const clientPort = 546;
const serverPort = 547;
/** All DHCP relay agents and servers of a link. */
const servers = "ff02::1:2";
const linkScope = 253;
const tentative = 0x40;

/** Where a client of DHCPv6 sends to and hears from. */
export interface Dhcp6Socket extends AsyncDisposable {
  send(message: Buffer): Promise<void>;
  /** Called with every datagram from now on. */
  listen(onMessage: (message: Buffer) => void): void;
}

/**
 * Opens the client's port on the link-local address of a link.
 *
 * @throws OsError `dhcp6/no-address` while the link has none, or duplicate address detection still runs on it
 */
export async function openDhcp6Socket(
  network: Pick<Network, "addresses">,
  link: { readonly name: string; readonly index: number },
): Promise<Dhcp6Socket> {
  const own = (await network.addresses()).find(
    ({ linkIndex, family, scope, flags }) =>
      linkIndex === link.index && family === "inet6" && scope === linkScope && (flags & tentative) === 0,
  );
  if (own === undefined) {
    throw new OsError({
      kind: "failed-precondition",
      code: "dhcp6/no-address",
      message: `Cannot ask for an IPv6 address on link "${link.name}": it has no link-local address yet`,
      next: "talosctl get addresses",
    });
  }
  const address = `${own.address.split("/")[0] ?? ""}%${link.name}`;
  return bindDhcp6({ address, port: clientPort }, { address: `${servers}%${link.name}`, port: serverPort });
}

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Opens a socket on one address that sends to another. */
export async function bindDhcp6(local: Endpoint, remote: Endpoint): Promise<Dhcp6Socket> {
  const socket = createSocket({ type: "udp6", reuseAddr: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(local.port, local.address, () => {
      socket.off("error", reject);
      resolve();
    });
  });
  // An error that comes later belongs to a datagram nobody waits for.
  socket.on("error", () => undefined);
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        socket.send(message, remote.port, remote.address, (err) => (err === null ? resolve() : reject(err)));
      }),
    listen: (onMessage) => void socket.on("message", onMessage),
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
