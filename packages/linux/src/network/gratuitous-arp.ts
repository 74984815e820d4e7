import { addressBytes } from "@talos-ts/base/net";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { openSocket } from "../ffi/open-socket.ts";
import { encodeMac } from "./hardware-address.ts";

const AF_PACKET = 17;
const SOCK_RAW = 3;
const SOCK_CLOEXEC = 0o2000000;
const ETH_P_ARP = 0x0806;
const ETH_P_IP = 0x0800;
const ARPHRD_ETHER = 1;
const request = 1;
const everybody = Buffer.alloc(6, 0xff);

/** Ethernet frame of an ARP request for an address by its own owner: neighbours take the hardware address from it (RFC 5227). */
export function gratuitousArp(hardwareAddress: string, address: string): Buffer {
  const own = encodeMac(hardwareAddress).subarray(0, 6);
  const ip = Buffer.from(addressBytes(address));
  const head = Buffer.alloc(8);
  head.writeUInt16BE(ARPHRD_ETHER, 0);
  head.writeUInt16BE(ETH_P_IP, 2);
  head.writeUInt8(own.length, 4);
  head.writeUInt8(ip.length, 5);
  head.writeUInt16BE(request, 6);
  const type = Buffer.from([ETH_P_ARP >> 8, ETH_P_ARP & 0xff]);
  return Buffer.concat([everybody, own, type, head, own, ip, Buffer.alloc(6), ip]);
}

/** Sends a frame out of a link of a network namespace, by its file; `undefined` is the one of this process. */
export async function sendArpFrame(linkIndex: number, frame: Buffer, networkNamespace?: string): Promise<void> {
  const { functions, errno } = libc();
  const place = { area: "netlink", kind: "packet socket", networkNamespace };
  const fd = await openSocket(place, AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  try {
    // struct sockaddr_ll
    const address = Buffer.alloc(20);
    address.writeUInt16LE(AF_PACKET, 0);
    address.writeUInt16BE(ETH_P_ARP, 2);
    address.writeInt32LE(linkIndex, 4);
    address.writeUInt8(everybody.length, 11);
    everybody.copy(address, 12);
    if (functions.sendto(fd, frame, BigInt(frame.length), 0, address, address.length) >= 0n) return;
    throw kernelError({ area: "netlink", action: `announce on link ${String(linkIndex)}`, errno: errno() });
  } finally {
    functions.close(fd);
  }
}
