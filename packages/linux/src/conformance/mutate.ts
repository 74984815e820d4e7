import type { Random } from "@talos-ts/base/testing";

/** A copy of `bytes` with a few of them changed and maybe cut: close enough to valid to reach deep into a parser. */
export function mutate(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes.subarray(0, random.below(4) === 0 ? random.below(bytes.length + 1) : bytes.length));
  for (let count = random.below(6); count > 0 && copy.length > 0; count--) {
    copy[random.below(copy.length)] = random.below(256);
  }
  return copy;
}
