import { createQueue } from "@talos-ts/base";
import { errnoName, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { openSocket } from "../ffi/open-socket.ts";
import { watchReadable } from "../ffi/poll.ts";
import { encodeMac } from "./hardware-address.ts";
import type { PacketSocket } from "./packet-socket.ts";

const AF_PACKET = 17;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const SOCK_NONBLOCK = 0o4000;
const ETH_P_IP = 0x0800;
const MSG_DONTWAIT = 0x40;
const largestPacket = 65_536;
/** Packets kept for a slow reader; more are dropped, as the kernel does. */
const capacity = 256;

/** struct sockaddr_ll */
function linkAddress(linkIndex: number, hardwareAddress?: string): Buffer {
  const address = Buffer.alloc(20);
  address.writeUInt16LE(AF_PACKET, 0);
  address.writeUInt16BE(ETH_P_IP, 2);
  address.writeInt32LE(linkIndex, 4);
  if (hardwareAddress !== undefined) {
    address.writeUInt8(6, 11);
    encodeMac(hardwareAddress).copy(address, 12);
  }
  return address;
}

export async function openPacketSocket(networkNamespace: string | undefined, linkIndex: number): Promise<PacketSocket> {
  const { functions, errno } = libc();
  // The protocol is none until the socket is bound, so that it gets nothing of other links.
  const place = { area: "packet", kind: "packet socket", networkNamespace };
  const fd = await openSocket(place, AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const address = linkAddress(linkIndex);
  if (functions.bind(fd, address, address.length) < 0) {
    const failure = errno();
    functions.close(fd);
    throw kernelError({ area: "packet", action: `bind a packet socket to link ${String(linkIndex)}`, errno: failure });
  }
  const queue = createQueue<Buffer>();
  const buffer = Buffer.allocUnsafeSlow(largestPacket);
  let open = true;
  const drain = (): void => {
    for (;;) {
      if (!open) return;
      const length = functions.recv(fd, buffer, BigInt(buffer.length), MSG_DONTWAIT);
      if (length >= 0n) {
        if (queue.size < capacity) queue.push(Buffer.from(buffer.subarray(0, Number(length))));
        continue;
      }
      const failure = errno();
      if (errnoName(failure) !== "EAGAIN") {
        queue.fail(kernelError({ area: "packet", action: "receive from a packet socket", errno: failure }));
        dispose();
      }
      return;
    }
  };
  const watch = watchReadable(fd, drain);
  const dispose = (): void => {
    if (!open) return;
    open = false;
    watch.close();
    functions.close(fd);
    queue.close();
  };
  return {
    send(packet, destination) {
      const bytes = Buffer.from(packet);
      const target = linkAddress(linkIndex, destination);
      if (functions.sendto(fd, bytes, BigInt(bytes.length), 0, target, target.length) < 0n) {
        throw kernelError({ area: "packet", action: `send a packet over link ${String(linkIndex)}`, errno: errno() });
      }
    },
    packets: queue,
    [Symbol.dispose]: dispose,
  };
}
