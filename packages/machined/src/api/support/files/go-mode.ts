import { constants } from "node:fs";

const kinds: Readonly<Record<number, number>> = {
  [constants.S_IFDIR]: 1 << 31,
  [constants.S_IFLNK]: 1 << 27,
  [constants.S_IFBLK]: 1 << 26,
  [constants.S_IFIFO]: 1 << 25,
  [constants.S_IFSOCK]: 1 << 24,
  [constants.S_IFCHR]: (1 << 26) | (1 << 21),
};

const bits: readonly (readonly [mask: number, go: number])[] = [
  [0o4000, 1 << 23],
  [0o2000, 1 << 22],
  [0o1000, 1 << 20],
];

/** A file's mode in the bits that the API speaks, which are those of Go and not those of the kernel. */
export function goMode(mode: number): number {
  let result = (mode & 0o777) | (kinds[mode & constants.S_IFMT] ?? 0);
  for (const [mask, go] of bits) if ((mode & mask) !== 0) result |= go;
  return result >>> 0;
}
