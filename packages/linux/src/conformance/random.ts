/** A reproducible source of random numbers and bytes for property tests (xorshift32). */
export interface Random {
  /** 0 ≤ n < limit */
  below(limit: number): number;
  bytes(length: number): Buffer;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  return {
    below: (limit) => next() % limit,
    bytes: (length) => Buffer.from(Array.from({ length }, () => next() & 0xff)),
  };
}

/** A copy of `bytes` with a few of them changed and maybe cut: close enough to valid to reach deep into a parser. */
export function mutate(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes.subarray(0, random.below(4) === 0 ? random.below(bytes.length + 1) : bytes.length));
  for (let count = random.below(6); count > 0 && copy.length > 0; count--) {
    copy[random.below(copy.length)] = random.below(256);
  }
  return copy;
}
