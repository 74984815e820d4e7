import { addressBytes, formatAddress } from "@talos-ts/base/net";

const ipHeader = 20;
const udpHeader = 8;
const udpProtocol = 17;

/** A UDP datagram with the IPv4 addresses it travels between. */
export interface Datagram {
  readonly source: string;
  readonly destination: string;
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly payload: Buffer;
}

/** Writes an IPv4 packet (RFC 791, RFC 768). A link without an address needs it: the kernel would not send it. */
export function encodeDatagram({ source, destination, sourcePort, destinationPort, payload }: Datagram): Buffer {
  const packet = Buffer.alloc(ipHeader + udpHeader + payload.length);
  packet.writeUInt8(0x45, 0);
  packet.writeUInt8(0x10, 1);
  packet.writeUInt16BE(packet.length, 2);
  packet.writeUInt8(64, 8);
  packet.writeUInt8(udpProtocol, 9);
  addressBytes(source).copy(packet, 12);
  addressBytes(destination).copy(packet, 16);
  packet.writeUInt16BE(checksum(packet.subarray(0, ipHeader)), 10);
  packet.writeUInt16BE(sourcePort, ipHeader);
  packet.writeUInt16BE(destinationPort, ipHeader + 2);
  packet.writeUInt16BE(udpHeader + payload.length, ipHeader + 4);
  payload.copy(packet, ipHeader + udpHeader);
  const pseudo = Buffer.alloc(12);
  packet.copy(pseudo, 0, 12, 20);
  pseudo.writeUInt8(udpProtocol, 9);
  pseudo.writeUInt16BE(udpHeader + payload.length, 10);
  const sum = checksum(Buffer.concat([pseudo, packet.subarray(ipHeader)]));
  // Zero stands for "no checksum", so a checksum of zero is sent as its equal.
  packet.writeUInt16BE(sum === 0 ? 0xffff : sum, ipHeader + 6);
  return packet;
}

/** Reads an IPv4 packet; `undefined` for anything but a whole UDP datagram. */
export function decodeDatagram(packet: Buffer): Datagram | undefined {
  if (packet.length < ipHeader || packet.readUInt8(0) >> 4 !== 4) return undefined;
  const header = (packet.readUInt8(0) & 0xf) * 4;
  const length = packet.readUInt16BE(2);
  const fragment = packet.readUInt16BE(6) & 0x3fff;
  if (packet.readUInt8(9) !== udpProtocol || fragment !== 0) return undefined;
  if (header < ipHeader || packet.length < length || length < header + udpHeader) return undefined;
  return {
    source: formatAddress(packet.subarray(12, 16)),
    destination: formatAddress(packet.subarray(16, 20)),
    sourcePort: packet.readUInt16BE(header),
    destinationPort: packet.readUInt16BE(header + 2),
    payload: packet.subarray(header + udpHeader, length),
  };
}

/** The Internet checksum (RFC 1071). */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let offset = 0; offset < bytes.length; offset += 2) {
    sum += offset + 1 < bytes.length ? bytes.readUInt16BE(offset) : bytes.readUInt8(offset) << 8;
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
