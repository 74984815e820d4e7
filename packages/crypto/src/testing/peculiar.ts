/** `@peculiar/x509` as a second opinion for this package's specs. */

/**
 * Its container asks for three of the functions of `reflect-metadata` when it loads. Only metadata of constructors is
 * kept there, so one map per key is the whole of it.
 */
const metadata = new WeakMap<object, Map<unknown, unknown>>();

function getMetadata(key: unknown, target: object): unknown {
  return metadata.get(target)?.get(key);
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const entries = metadata.get(target) ?? new Map<unknown, unknown>();
  metadata.set(target, entries.set(key, value));
}

Object.assign(Reflect, { getMetadata, getOwnMetadata: getMetadata, defineMetadata });

export const peculiar = await import("@peculiar/x509");
