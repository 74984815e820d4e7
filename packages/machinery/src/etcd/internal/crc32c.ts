/** The reflected polynomial of Castagnoli (RFC 3720, appendix B.4). */
const polynomial = 0x82f6_3b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ polynomial : value >>> 1;
  return value;
});

/**
 * Continues a CRC-32C over more bytes.
 *
 * @param previous The result so far. @default {0}
 */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  let value = ~previous;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}
