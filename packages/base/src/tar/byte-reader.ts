/** Reads so many bytes at a time from chunks of any size. */
export interface ByteReader {
  /** Fewer bytes only at the end. */
  read(count: number): Promise<Uint8Array>;
  /** Takes what is there, at least one byte and at most so many; nothing only at the end. */
  take(most: number): Promise<Uint8Array>;
  skip(count: number): Promise<void>;
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = source[Symbol.asyncIterator]();
  let waiting: Uint8Array = new Uint8Array();

  async function more(): Promise<boolean> {
    const next = await iterator.next();
    if (next.done === true) return false;
    waiting = waiting.length === 0 ? next.value : Buffer.concat([waiting, next.value]);
    return true;
  }

  const reader: ByteReader = {
    async read(count) {
      while (waiting.length < count && (await more()));
      const taken = waiting.subarray(0, count);
      waiting = waiting.subarray(taken.length);
      return taken;
    },
    async take(most) {
      while (waiting.length === 0 && (await more()));
      const taken = waiting.subarray(0, most);
      waiting = waiting.subarray(taken.length);
      return taken;
    },
    async skip(count) {
      let left = count;
      while (left > 0) {
        if (waiting.length === 0 && !(await more())) return;
        const step = Math.min(left, waiting.length);
        waiting = waiting.subarray(step);
        left -= step;
      }
    },
  };
  return reader;
}
