import { addressBytes } from "@talos-ts/base/net";
import type { PacketSocket } from "@talos-ts/linux";
import { decodeDatagram, encodeDatagram } from "./frame.ts";
import { decodeDhcp, encodeDhcp, options, type DhcpMessage, type MessageType } from "./message.ts";

/** A DHCPv4 server of tests: it gives everybody the same address. */
export interface TestDhcpServer extends Disposable {
  /** Messages it was asked with, in order. */
  readonly asked: readonly DhcpMessage[];
}

export interface TestDhcpOptions {
  readonly address: string;
  readonly leaseSeconds: number;
  /** Beside the server, the mask /24 and the lease. */
  readonly more?: ReadonlyMap<number, Buffer>;
  /** Refuses requests with a NAK. @default never */
  readonly refuses?: (request: DhcpMessage) => boolean;
}

const self = "192.0.2.254";

export function startTestDhcpServer(socket: PacketSocket, server: TestDhcpOptions): TestDhcpServer {
  const asked: DhcpMessage[] = [];

  function answer(to: DhcpMessage, type: MessageType): void {
    const lease = Buffer.alloc(4);
    lease.writeUInt32BE(server.leaseSeconds);
    const payload = encodeDhcp({
      ...to,
      op: "reply",
      type,
      yourAddress: type === "nak" ? "0.0.0.0" : server.address,
      options: new Map([
        [options.server, addressBytes(self)],
        [options.subnetMask, addressBytes("255.255.255.0")],
        [options.leaseSeconds, lease],
        ...(server.more ?? []),
      ]),
    });
    const datagram = { source: self, destination: "255.255.255.255", sourcePort: 67, destinationPort: 68, payload };
    socket.send(encodeDatagram(datagram), "ff:ff:ff:ff:ff:ff");
  }

  async function serve(): Promise<void> {
    for await (const packet of socket.packets) {
      const datagram = decodeDatagram(packet);
      const message = datagram?.destinationPort === 67 ? decodeDhcp(datagram.payload) : undefined;
      if (message === undefined) continue;
      asked.push(message);
      if (message.type === "discover") answer(message, "offer");
      else answer(message, server.refuses?.(message) === true ? "nak" : "ack");
    }
  }
  void serve();
  return { asked, [Symbol.dispose]: () => socket[Symbol.dispose]() };
}
