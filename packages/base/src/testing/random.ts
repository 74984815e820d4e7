/** A reproducible source of random values for property tests: the same seed gives the same values on every machine. */
export interface Random {
  /** Gives an integer from 0 up to, but not including, `bound`. */
  below(bound: number): number;
  /** Gives one of the items. @throws RangeError when there is none. */
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Buffer;
}

/** Creates a source of random values from a 32-bit seed, by the mulberry32 generator. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    pick(items) {
      if (items.length === 0) throw new RangeError("There is nothing to pick from");
      return items[below(items.length)] as (typeof items)[number];
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
