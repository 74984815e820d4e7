import { digestOf } from "./digest.ts";

/**
 * Names of the layers stacked up to each one, bottom first: the first is the layer's own digest, every further one is the digest of
 * the name below and its own.
 */
export function chainIds(diffIds: readonly string[]): readonly string[] {
  const chain: string[] = [];
  for (const diffId of diffIds) {
    const below = chain.at(-1);
    chain.push(below === undefined ? diffId : digestOf(Buffer.from(`${below} ${diffId}`)));
  }
  return chain;
}
