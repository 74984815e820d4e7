/** Bytes of a slab: what one TLS write takes well. */
export const slabBytes = 65_536;

/** Slabs kept for the next writer, for all connections together. */
const maxKept = 8;
const kept: Buffer[] = [];

/** A buffer of `slabBytes` with anything in it. */
export function takeSlab(): Buffer {
  return kept.pop() ?? Buffer.allocUnsafeSlow(slabBytes);
}

/**
 * Gives the slab behind a chunk back when the chunk is the last part of it. To be called in the order in which the parts were made,
 * when nobody reads them any more.
 */
export function giveBack(chunk: Buffer): void {
  const { buffer, byteOffset, length } = chunk;
  if (buffer.byteLength !== slabBytes || byteOffset + length !== slabBytes || kept.length >= maxKept) return;
  kept.push(Buffer.from(buffer));
}
