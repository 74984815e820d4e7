/** Bytes of a slab: what one TLS write takes well. */
export const slabBytes = 65_536;

/** Slabs kept for the next writer, for all connections together. */
const maxKept = 8;
const kept: Buffer[] = [];
/** Memory that is a slab, whatever else has the same size. */
const slabs = new WeakSet<ArrayBufferLike>();

/** A buffer of `slabBytes` with anything in it. */
export function takeSlab(): Buffer {
  const known = kept.pop();
  if (known !== undefined) return known;
  const slab = Buffer.allocUnsafeSlow(slabBytes);
  slabs.add(slab.buffer);
  return slab;
}

/** Tells whether a chunk is the last part of a slab. */
export function endsSlab({ buffer, byteOffset, length }: Buffer): boolean {
  return byteOffset + length === slabBytes && slabs.has(buffer);
}

/**
 * Gives the slab behind a chunk back when the chunk is the last part of it. To be called in the order in which the parts were made,
 * when nobody reads them any more.
 */
export function giveBack(chunk: Buffer): void {
  if (endsSlab(chunk) && kept.length < maxKept) kept.push(Buffer.from(chunk.buffer));
}
