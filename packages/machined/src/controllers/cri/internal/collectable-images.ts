/** An image name and since when nothing has needed it. */
export interface UnusedImages {
  /** Names to remove now. */
  readonly collect: readonly string[];
  /** Time at which each unused image was first seen so; to be given back at the next look. */
  readonly since: ReadonlyMap<string, number>;
}

/**
 * Decides which images have been unused for the whole grace period. The period starts when an image is first seen unused by this
 * process, so that one that was just pulled for a service that starts next is safe.
 */
export function collectableImages(
  present: readonly string[],
  used: ReadonlySet<string>,
  before: ReadonlyMap<string, number>,
  now: number,
  graceMs: number,
): UnusedImages {
  const unused = present.filter((name) => !used.has(name));
  const since = new Map(unused.map((name) => [name, before.get(name) ?? now]));
  return { collect: unused.filter((name) => now - (since.get(name) ?? now) >= graceMs), since };
}
