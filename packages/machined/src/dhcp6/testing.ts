import { createSocket } from "node:dgram";
import { addressBytes } from "@talos-ts/base/net";
import {
  decodeDhcp6,
  encodeDhcp6,
  encodeOptions6,
  findOption6,
  options6,
  type Dhcp6Message,
  type Dhcp6Option,
} from "./message.ts";

export interface TestDhcp6Options {
  readonly address: string;
  readonly validSeconds: number;
  readonly more?: readonly Dhcp6Option[];
  /** Stays silent when false. @default always answers */
  readonly answers?: (message: Dhcp6Message) => boolean;
}

const serverId = Buffer.from("00030001020000000fff", "hex");

/** The answer of a server that gives everybody the same address. */
function dhcp6Answer(request: Dhcp6Message, server: TestDhcp6Options): Buffer {
  const granted = Buffer.alloc(24);
  granted.set(addressBytes(server.address), 0);
  granted.writeUInt32BE(server.validSeconds / 2, 16);
  granted.writeUInt32BE(server.validSeconds, 20);
  const association = Buffer.from(
    (findOption6(request.options, options6.addresses) ?? Buffer.alloc(12)).subarray(0, 12),
  );
  association.writeUInt32BE(server.validSeconds / 4, 4);
  association.writeUInt32BE(server.validSeconds / 2, 8);
  return encodeDhcp6({
    type: request.type === "solicit" ? "advertise" : "reply",
    transaction: request.transaction,
    options: [
      [options6.clientId, findOption6(request.options, options6.clientId) ?? Buffer.alloc(0)],
      [options6.serverId, serverId],
      [options6.addresses, Buffer.concat([association, encodeOptions6([[options6.address, granted]])])],
      ...(server.more ?? []),
    ],
  });
}

/** A server on the loopback interface. */
export async function startDhcp6Server(
  server: TestDhcp6Options,
): Promise<AsyncDisposable & { readonly port: number; readonly asked: readonly Dhcp6Message[] }> {
  const asked: Dhcp6Message[] = [];
  const socket = createSocket("udp6");
  socket.on("message", (bytes, { port, address }) => {
    const request = decodeDhcp6(bytes);
    asked.push(request);
    if (server.answers?.(request) !== false) socket.send(dhcp6Answer(request, server), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "::1", resolve));
  return {
    port: socket.address().port,
    asked,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
