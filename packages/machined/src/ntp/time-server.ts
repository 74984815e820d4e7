import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";

const ntpPort = 123;

/** Source that can be asked for the time: a socket address, or a clock device of this machine. */
export type TimeSource =
  | {
      readonly kind: "ntp";
      readonly name: string;
      readonly address: string;
      readonly family: 4 | 6;
      readonly port: number;
    }
  | { readonly kind: "device"; readonly name: string };

/**
 * Resolves a configured server to its addresses, in the order of the resolver. A path below `/dev` stands for itself.
 *
 * @param server `name`, `name:port`, `address`, `[address]:port` or `/dev/ptp0`
 */
export async function resolveTimeServer(server: string): Promise<TimeSource[]> {
  if (server.startsWith("/dev/")) return [{ kind: "device", name: server }];
  const { host, port } = splitServer(server);
  const addresses = await lookup(host, { all: true });
  return addresses.map(({ address, family }) => ({
    kind: "ntp",
    name: server,
    address,
    family: family === 6 ? 6 : 4,
    port,
  }));
}

function splitServer(server: string): { readonly host: string; readonly port: number } {
  if (isIPv6(server)) return { host: server, port: ntpPort };
  const [, host = server, port] = /^\[?([^\]]+?)\]?(?::(\d{1,5}))?$/.exec(server) ?? [];
  return { host, port: port === undefined ? ntpPort : Number(port) };
}
