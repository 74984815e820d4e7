import { formatAddress } from "@talos-ts/base/net";
import type { PcapPacket } from "./pcap-reader.ts";

const ethernetLink = 1;
const vlanTypes = new Set([0x8100, 0x88a8]);

/** Describes a packet in one line, as tcpdump does: `12:00:00.123456 IP 10.5.0.2.50000 > 10.5.0.1.40312: Flags [S], length 0`. */
export function describePacket(packet: PcapPacket): string {
  const time = new Date(Number(packet.microseconds / 1000n)).toISOString().slice(11, 19);
  const fraction = String(packet.microseconds % 1_000_000n).padStart(6, "0");
  return `${time}.${fraction} ${content(packet)}`;
}

function content({ bytes, linkType, originalLength }: PcapPacket): string {
  try {
    return linkType === ethernetLink ? frame(bytes, originalLength) : internet(bytes);
  } catch (err) {
    // Packets are cut to the length that was asked for.
    if (err instanceof RangeError)
      return `[truncated packet, ${String(bytes.length)} of ${String(originalLength)} bytes]`;
    throw err;
  }
}

function frame(bytes: Buffer, originalLength: number): string {
  let [at, type] = [14, bytes.readUInt16BE(12)];
  let tags = "";
  while (vlanTypes.has(type)) {
    tags += `vlan ${String(bytes.readUInt16BE(at) & 0xfff)}, `;
    type = bytes.readUInt16BE(at + 2);
    at += 4;
  }
  const rest = bytes.subarray(at);
  if (type === 0x0800 || type === 0x86dd) return tags + internet(rest);
  if (type === 0x0806) return tags + arp(rest);
  const [to, from] = [bytes.subarray(0, 6), bytes.subarray(6, 12)].map(hardwareAddress);
  const typeText = `0x${type.toString(16).padStart(4, "0")}`;
  return `${tags}${from ?? ""} > ${to ?? ""}, ethertype ${typeText}, length ${String(originalLength)}`;
}

const hardwareAddress = (bytes: Buffer): string => bytes.toString("hex").replace(/(..)(?=.)/g, "$1:");

function arp(bytes: Buffer): string {
  const [sender, target] = [formatAddress(bytes.subarray(14, 18)), formatAddress(bytes.subarray(24, 28))];
  return bytes.readUInt16BE(6) === 1
    ? `ARP, Request who-has ${target} tell ${sender}`
    : `ARP, Reply ${sender} is-at ${hardwareAddress(bytes.subarray(8, 14))}`;
}

function internet(bytes: Buffer): string {
  return bytes.readUInt8(0) >> 4 === 6 ? internet6(bytes) : internet4(bytes);
}

interface Ends {
  readonly family: "IP" | "IP6";
  readonly from: string;
  readonly to: string;
}

function internet4(bytes: Buffer): string {
  const headerLength = (bytes.readUInt8(0) & 0xf) * 4;
  const ends: Ends = {
    family: "IP",
    from: formatAddress(bytes.subarray(12, 16)),
    to: formatAddress(bytes.subarray(16, 20)),
  };
  const length = bytes.readUInt16BE(2) - headerLength;
  if ((bytes.readUInt16BE(6) & 0x1fff) !== 0) return `IP ${ends.from} > ${ends.to}: fragment, length ${String(length)}`;
  return transport(ends, bytes.readUInt8(9), bytes.subarray(headerLength), length);
}

/** Extension headers that are passed over: hop-by-hop, routing, destination options. */
const extensions = new Set([0, 43, 60]);

function internet6(bytes: Buffer): string {
  const ends: Ends = {
    family: "IP6",
    from: formatAddress(bytes.subarray(8, 24)),
    to: formatAddress(bytes.subarray(24, 40)),
  };
  let [at, protocol, length] = [40, bytes.readUInt8(6), bytes.readUInt16BE(4)];
  while (extensions.has(protocol)) {
    const size = (bytes.readUInt8(at + 1) + 1) * 8;
    protocol = bytes.readUInt8(at);
    at += size;
    length -= size;
  }
  return transport(ends, protocol, bytes.subarray(at), length);
}

const flagLetters = ["F", "S", "R", "P", ".", "U", "E", "W"] as const;

const protocols: Readonly<Record<number, (ends: Ends, bytes: Buffer, length: number) => string>> = {
  1: (ends, bytes, length) =>
    `${between(ends)}: ICMP ${icmp[bytes.readUInt8(0)] ?? `type ${String(bytes.readUInt8(0))}`}, length ${String(length)}`,
  6: tcp,
  17: (ends, bytes, length) => `${between(ends, bytes)}: UDP, length ${String(length - 8)}`,
  58: (ends, bytes, length) =>
    `${between(ends)}: ICMP6, ${icmp6[bytes.readUInt8(0)] ?? `type ${String(bytes.readUInt8(0))}`}, length ${String(length)}`,
};

const icmp: Readonly<Record<number, string>> = {
  0: "echo reply",
  3: "unreachable",
  8: "echo request",
  11: "time exceeded",
};
const icmp6: Readonly<Record<number, string>> = {
  1: "destination unreachable",
  2: "packet too big",
  128: "echo request",
  129: "echo reply",
  133: "router solicitation",
  134: "router advertisement",
  135: "neighbor solicitation",
  136: "neighbor advertisement",
  143: "multicast listener report v2",
};

function transport(ends: Ends, protocol: number, bytes: Buffer, length: number): string {
  return (
    protocols[protocol]?.(ends, bytes, length) ??
    `${between(ends)}: protocol ${String(protocol)}, length ${String(length)}`
  );
}

function between({ family, from, to }: Ends, ports?: Buffer): string {
  if (ports === undefined) return `${family} ${from} > ${to}`;
  return `${family} ${from}.${String(ports.readUInt16BE(0))} > ${to}.${String(ports.readUInt16BE(2))}`;
}

function tcp(ends: Ends, bytes: Buffer, length: number): string {
  const bits = bytes.readUInt8(13);
  const flags = flagLetters.filter((_letter, index) => (bits & (1 << index)) !== 0).join("");
  const payload = length - (bytes.readUInt8(12) >> 4) * 4;
  const sequence = bytes.readUInt32BE(4);
  const parts = [
    `Flags [${flags === "" ? "none" : flags}]`,
    payload > 0 ? `seq ${String(sequence)}:${String((sequence + payload) % 2 ** 32)}` : `seq ${String(sequence)}`,
    ...((bits & 0x10) === 0 ? [] : [`ack ${String(bytes.readUInt32BE(8))}`]),
    `win ${String(bytes.readUInt16BE(14))}`,
    `length ${String(payload)}`,
  ];
  return `${between(ends, bytes)}: ${parts.join(", ")}`;
}
