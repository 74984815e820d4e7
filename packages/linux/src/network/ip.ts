import { OsError } from "@talos-ts/base";
import { isIP } from "node:net";
import { malformed } from "../ffi/errno.ts";

/** Address families by their kernel numbers. */
export const families = { inet4: 2, inet6: 10 } as const;

export type Family = keyof typeof families;

export function familyOf(address: string): Family {
  const version = isIP(address);
  if (version === 4) return "inet4";
  if (version === 6) return "inet6";
  throw new OsError({
    kind: "invalid-argument",
    code: "network/bad-address",
    message: `Cannot read "${address}" as an IP address`,
  });
}

/** The 4 or 16 bytes of an address. @throws OsError `network/bad-address` */
export function encodeIp(address: string): Buffer {
  if (familyOf(address) === "inet4") return Buffer.from(address.split(".").map(Number));
  const plain = address.split("%", 1)[0] ?? "";
  // A trailing dotted part stands for the last two groups.
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  const groupsOf = (part: string): number[] => (part === "" ? [] : part.split(":").map((group) => parseInt(group, 16)));
  let text = plain;
  if (dotted?.[1] !== undefined && dotted[2] !== undefined) {
    const [a = 0, b = 0, c = 0, d = 0] = dotted[2].split(".").map(Number);
    text = `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const [head = "", rest] = text.split("::");
  const first = groupsOf(head);
  const last = rest === undefined ? [] : groupsOf(rest);
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The canonical text of an address (RFC 5952 for IPv6). */
export function decodeIp(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) throw malformed("network", `an IP address of ${String(bytes.length)} bytes`);
  const view = Buffer.from(bytes);
  const groups = Array.from({ length: 8 }, (_, index) => view.readUInt16BE(index * 2));
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.length < 2) return hex.join(":");
  return `${hex.slice(0, best.start).join(":")}::${hex.slice(best.start + best.length).join(":")}`;
}

export interface Prefix {
  readonly address: string;
  readonly length: number;
}

/** @throws OsError `network/bad-address` */
export function parsePrefix(text: string): Prefix {
  const [address = "", length] = text.split("/");
  const bits = familyOf(address) === "inet4" ? 32 : 128;
  const parsed = length === undefined ? bits : Number(length);
  if (!Number.isInteger(parsed) || parsed < 0 || parsed > bits) {
    throw new OsError({
      kind: "invalid-argument",
      code: "network/bad-address",
      message: `Cannot read "${text}" as a prefix: its length must be 0 to ${String(bits)}`,
    });
  }
  return { address: decodeIp(encodeIp(address)), length: parsed };
}

/** `address/length` with the host bits cleared, as the kernel stores destinations. */
export function maskPrefix(text: string): string {
  const { address, length } = parsePrefix(text);
  const bytes = encodeIp(address);
  for (let index = 0; index < bytes.length; index++) {
    const kept = Math.min(8, Math.max(0, length - index * 8));
    bytes[index] = (bytes[index] ?? 0) & (0xff << (8 - kept));
  }
  return `${decodeIp(bytes)}/${String(length)}`;
}

export function decodeMac(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(":");
}

export function encodeMac(text: string): Buffer {
  const parts = text.split(":");
  if (parts.length < 6 || !parts.every((part) => /^[0-9a-fA-F]{2}$/.test(part))) {
    throw new OsError({
      kind: "invalid-argument",
      code: "network/bad-hardware-address",
      message: `Cannot read "${text}" as a hardware address`,
    });
  }
  return Buffer.from(parts.map((part) => parseInt(part, 16)));
}
