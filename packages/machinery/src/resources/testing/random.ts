/** A small repeatable source of chance (mulberry32): the same seed gives the same numbers on every machine. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  number(below: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  bytes(length: number): Uint8Array;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const number = (below: number) => next() % below;
  return {
    number,
    pick: (items) => items[number(items.length)] ?? items[0],
    bytes: (length) => Uint8Array.from({ length }, () => number(256)),
  };
}
