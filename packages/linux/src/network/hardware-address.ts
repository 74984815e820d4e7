import { OsError } from "@talos-ts/base";

/** Formats a link-layer address as lower-case hexadecimal bytes with colons between them. */
export function decodeMac(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(":");
}

/** Parses a link-layer address of at least six bytes (EUI-48). @throws OsError `network/bad-hardware-address` */
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
