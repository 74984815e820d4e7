/** Numbers that a seed decides, so that a run can be repeated. */
export interface Random {
  /** An integer of `[0, limit)`. */
  below(limit: number): number;
  /** @throws when there is nothing to choose from. */
  pick<T>(items: readonly T[]): T;
}

/** A 32-bit generator in the manner of Steele, Lea and Flood (SplitMix, 2014): a counter whose value is mixed. */
export function createRandom(seed: number): Random {
  let counter = seed >>> 0;
  const next = (): number => {
    counter = (counter + 0x9e37_79b9) >>> 0;
    let mixed = counter;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)];
      if (items.length === 0) throw new Error("nothing to choose from");
      return item as T;
    },
  };
}
