/** Addresses and prefixes as Go's `net/netip` reads them. */

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** @throws {Error} with Go's message */
export function parseAddress(text: string): string {
  const [plain = "", zone] = text.split("%", 2);
  if (isIP(plain) === 0 || zone === "" || (zone !== undefined && isIP(plain) !== 6)) {
    throw new Error(`ParseAddr(${JSON.stringify(text)}): unable to parse IP`);
  }
  if (isIP(plain) === 4) return plain;
  const mapped = /^(?:0*:)*:?(?:0*:)*ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  const canonical = mapped === null ? ipaddr.parse(plain).toString() : `::ffff:${mapped[1] ?? ""}`;
  return zone === undefined ? canonical : `${canonical}%${zone}`;
}

/** @throws {Error} with Go's message */
export function parsePrefix(text: string): string {
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw new Error(`netip.ParsePrefix(${JSON.stringify(text)}): no '/'`);
  const [plain, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (plain.includes("%"))
    throw new Error(`netip.ParsePrefix(${JSON.stringify(text)}): IPv6 zones cannot be present in a prefix`);
  const family = isIP(plain);
  if (family === 0)
    throw new Error(
      `netip.ParsePrefix(${JSON.stringify(text)}): ParseAddr(${JSON.stringify(plain)}): unable to parse IP`,
    );
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    throw new Error(`netip.ParsePrefix(${JSON.stringify(text)}): prefix length out of range`);
  }
  return `${parseAddress(plain)}/${bits}`;
}

export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

export function isPrefix(text: string): boolean {
  const [plain = "", bits = "", ...more] = text.split("/");
  const family = isIP(plain);
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** A prefix, or an address standing for the prefix of itself alone. */
export function isPrefixOrAddress(text: string): boolean {
  return isAddress(text) || isPrefix(text);
}
