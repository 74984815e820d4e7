import { OsError } from "@talos-ts/base";

// Bytes as letters and digits. The bytes are one number; from its low end six bits at a time become a character. 62
// characters cannot tell 64 values apart, so where the bits are x1111y only the low five are taken.

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const isShort = (digit: number): boolean => (digit & 0b011110) === 0b011110;

export function encodeBase62(bytes: Uint8Array): string {
  let value = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (let left = bytes.length * 8; left > 0;) {
    const size = Math.min(6, left);
    const digit = Number(value & ((1n << BigInt(size)) - 1n));
    const short = isShort(digit);
    text += alphabet.charAt(short ? digit & 0b011111 : digit);
    const taken = short && (left > 6 || digit > 0b011111) ? 5 : size;
    value >>= BigInt(taken);
    left -= taken;
  }
  return text;
}

/** @throws `cluster/bad-node-id` when there are other characters in the text */
export function decodeBase62(text: string): Uint8Array {
  let value = 0n;
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = alphabet.indexOf(text.charAt(index));
    if (digit < 0) {
      throw new OsError({
        kind: "invalid-argument",
        code: "cluster/bad-node-id",
        message: `illegal base62 data at input byte ${String(index)}`,
      });
    }
    value |= BigInt(digit) << BigInt(bits);
    // The last character says how long it is by itself.
    if (index === text.length - 1) bits += 32 - Math.clz32(digit);
    else bits += isShort(digit) ? 5 : 6;
  }
  const size = Math.ceil(bits / 8);
  return size === 0
    ? new Uint8Array(0)
    : Uint8Array.from(Buffer.from(value.toString(16).padStart(size * 2, "0"), "hex"));
}
