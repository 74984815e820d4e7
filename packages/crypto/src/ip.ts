import { isIP } from "node:net";
import { cryptoError } from "./errors.ts";

/** The 4 or 16 bytes of an address in text form, as subject alternative names carry them. */
export function encodeIp(text: string): Buffer {
  const family = text.includes("%") ? 0 : isIP(text);
  if (family === 4) return Buffer.from(text.split(".").map(Number));
  if (family === 6) return encodeIpv6(text);
  throw cryptoError("crypto/bad-name", `"${text}" is not an IP address`);
}

function encodeIpv6(text: string): Buffer {
  const [head = "", tail] = text.split("::");
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 16 - left.length - right.length }, () => 0);
  return Buffer.from([...left, ...zeros, ...right]);
}

function groups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** The canonical text (RFC 5952) of 4 or 16 bytes; `undefined` for any other length. */
export function decodeIp(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return undefined;
  const words = Array.from({ length: 8 }, (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0));
  const run = longestZeroRun(words);
  const text = (part: readonly number[]): string => part.map((word) => word.toString(16)).join(":");
  if (run.length < 2) return text(words);
  return `${text(words.slice(0, run.start))}::${text(words.slice(run.start + run.length))}`;
}

function longestZeroRun(words: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < words.length; start += 1) {
    let length = 0;
    while (words[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}
