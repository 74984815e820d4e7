/** Addresses and prefixes as Go's `net/netip` reads them. */

import { isIP } from "node:net";
import { canonicalAddress } from "@talos-ts/base/net";

/** @throws {Error} with Go's message */
export function parseAddress(text: string): string {
  const [plain = "", zone] = text.split("%", 2);
  if (isIP(plain) === 0 || zone === "" || (zone !== undefined && isIP(plain) !== 6)) {
    throw new Error(`ParseAddr(${JSON.stringify(text)}): ${addressProblem(text)}`);
  }
  if (isIP(plain) === 4) return plain;
  const canonical = canonicalAddress(plain);
  return zone === undefined ? canonical : `${canonical}%${zone}`;
}

function addressProblem(text: string): string {
  if (/[.:%]/.exec(text)?.[0] !== ".") return "unable to parse IP";
  const odd = /[^0-9.]/.exec(text);
  const fields = text.slice(0, odd?.index).split(".");
  for (const [index, digits] of fields.entries()) {
    const isLast = index === fields.length - 1;
    if (index === 4) return "IPv4 address too long";
    if (digits === "" && !(isLast && odd !== null))
      return `IPv4 field must have at least one digit${at(text, fields, index)}`;
    if (/^0\d/.test(digits)) return "IPv4 field has octet with leading zero";
    if (Number(digits) > 255) return "IPv4 field has value >255";
  }
  if (odd !== null) return `unexpected character (at ${JSON.stringify(text.slice(odd.index))})`;
  return "IPv4 address too short";
}

/** Returns where in the text a field ends. */
function at(text: string, fields: readonly string[], index: number): string {
  const rest = text.slice(fields.slice(0, index).join(".").length + (index === 0 ? 0 : 1));
  return ` (at ${JSON.stringify(rest === "" ? "." : rest)})`;
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
