/** Bytes of a slab: what one read takes well. */
export const readSlabBytes = 65_536;

/** Slabs kept for the next reader, for all connections together. */
const maxFree = 32;
/** Slabs that streams may hold with chunks that are small beside them, before such chunks are copied; 4 MiB. */
const maxPinned = 64;

/** Memory that a socket reads into, part by part. */
interface Slab {
  readonly bytes: Buffer;
  /** Chunks of it that streams hold until they release them. */
  held: number;
  /** Chunks of it that were ever held or kept. */
  taken: number;
  /** Somebody keeps a chunk without telling for how long: the memory is left to the garbage collector. */
  lost: boolean;
  /** Its reader went on to another one while chunks of it were held. */
  pinned: boolean;
}

const slabs = new WeakMap<ArrayBufferLike, Slab>();
const free: Slab[] = [];
let pinnedSlabs = 0;

/** Tells that somebody keeps bytes of a received chunk for good, so that its memory must not be read into again. */
export function keepReceived(chunk: Uint8Array): void {
  const slab = slabs.get(chunk.buffer);
  if (slab === undefined) return;
  slab.lost = true;
  slab.taken += 1;
}

/**
 * Holds a chunk of any origin until `releaseReceived`. Returns the chunk, or a copy of it where it would keep a much larger buffer
 * alive for as long as it waits.
 */
export function holdReceived<T extends Uint8Array>(chunk: T): T | Buffer {
  const slab = slabs.get(chunk.buffer);
  const isSmall = chunk.length * 4 < chunk.buffer.byteLength;
  if (isSmall && (slab === undefined || pinnedSlabs >= maxPinned)) return Buffer.from(chunk);
  if (slab !== undefined) {
    slab.held += 1;
    slab.taken += 1;
  }
  return chunk;
}

/** Ends a hold: nobody reads what `holdReceived` returned any more. */
export function releaseReceived(chunk: Uint8Array): void {
  const slab = slabs.get(chunk.buffer);
  if (slab === undefined) return;
  slab.held -= 1;
  if (!slab.pinned || slab.held > 0) return;
  slab.pinned = false;
  pinnedSlabs -= 1;
  if (!slab.lost && free.length < maxFree) free.push(slab);
}

/**
 * Memory for the reads of one socket: parts of slabs, one behind the other, each of them again while nobody keeps it.
 *
 * A new buffer for each read would be collected soon enough, but V8 counts that memory and marks the whole heap for every few
 * dozen MiB of it: a third of the time of a proxy of large messages.
 */
export class ReceiveMemory {
  #slab = takeSlab();
  #used = 0;

  /** Memory for the next read, of at least `minBytes`. */
  next(minBytes: number): Buffer {
    const { held, lost } = this.#slab;
    if (held === 0 && !lost) this.#used = 0;
    else if (readSlabBytes - this.#used < minBytes) {
      if (held > 0) {
        this.#slab.pinned = true;
        pinnedSlabs += 1;
      }
      this.#slab = takeSlab();
      this.#used = 0;
    }
    return this.#slab.bytes.subarray(this.#used);
  }

  /** Hands the first `count` bytes of that memory on; what is kept of them is not read into again. */
  lend(receive: (chunk: Buffer) => void, count: number): void {
    const slab = this.#slab;
    // Not by how many are held: what is received may let an older chunk go and be held itself.
    const { taken } = slab;
    const end = this.#used + count;
    receive(slab.bytes.subarray(this.#used, end));
    if (slab.taken > taken) this.#used = end;
  }
}

function takeSlab(): Slab {
  const known = free.pop();
  if (known !== undefined) return known;
  const slab: Slab = { bytes: Buffer.allocUnsafeSlow(readSlabBytes), held: 0, taken: 0, lost: false, pinned: false };
  slabs.set(slab.bytes.buffer, slab);
  return slab;
}
