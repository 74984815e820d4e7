import { addressBytes, formatAddress, isAddress } from "@talos-ts/base/net";

const v6Length = 16;

/**
 * Encodes an address as Go's `netip.Addr.MarshalBinary` does: 4 bytes, or 16 followed by the name of the zone; no bytes for no
 * text.
 */
export function parseIp(text: string): Uint8Array {
  if (text === "") return new Uint8Array(0);
  if (!isAddress(text)) throw new RangeError(`"${text}" is not an IP address`);
  const [, zone = ""] = text.split("%", 2);
  return Buffer.concat([addressBytes(text), Buffer.from(zone)]);
}

/** Decodes what `parseIp` encodes. */
export function formatIp(bytes: Uint8Array): string {
  if (bytes.length === 0) return "";
  if (bytes.length === 4) return formatAddress(bytes);
  if (bytes.length < v6Length) throw new RangeError(`${bytes.length} bytes are not an IP address`);
  const zone = Buffer.from(bytes.subarray(v6Length)).toString();
  return formatAddress(bytes.subarray(0, v6Length)) + (zone === "" ? "" : `%${zone}`);
}
