/** A seeded source of randomness (xorshift32), so that a failure can be run again. */
export interface Random {
  /** An integer in [0, below). */
  below(limit: number): number;
  bytes(length: number): Buffer;
  pick<T>(items: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return {
    below: (limit) => next() % limit,
    bytes(length) {
      const bytes = Buffer.allocUnsafe(length);
      for (let index = 0; index < length; index += 1) bytes[index] = next();
      return bytes;
    },
    pick: <T>(items: readonly T[]) => items[next() % items.length] as T,
  };
}
