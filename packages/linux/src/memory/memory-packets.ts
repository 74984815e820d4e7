import { createQueue } from "@talos-ts/base";
import type { PacketSocket } from "../network/packet-socket.ts";
import type { MemoryNamespace } from "./memory-namespace.ts";

/** Packets of a link in memory: what one end of a veth pair sends, the other end reads. */
export function openMemoryPackets(home: MemoryNamespace, linkIndex: number): PacketSocket {
  const queue = createQueue<Buffer>();
  const read = (packet: Buffer): void => void queue.push(packet);
  const readers = home.packetReaders.get(linkIndex) ?? new Set();
  home.packetReaders.set(linkIndex, readers.add(read));
  return {
    send(packet) {
      const peer = home.peers.get(linkIndex);
      for (const deliver of peer?.namespace.packetReaders.get(peer.index) ?? []) deliver(Buffer.from(packet));
    },
    packets: queue,
    [Symbol.dispose]() {
      readers.delete(read);
      queue.close();
    },
  };
}
