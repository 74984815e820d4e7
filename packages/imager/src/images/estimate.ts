import type { ProgramRecipe } from "./programs.ts";

/** Seconds that building these programs takes with this many cores, as far as their recorded times tell. */
export function estimateSeconds(recipes: readonly Pick<ProgramRecipe, "cpuSeconds">[], cores: number): number {
  return recipes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) / Math.max(1, cores);
}

/** Share of the work after which only what was measured counts; before, small packages at the start would mislead. */
const trustedShare = 0.2;

/**
 * Seconds that are left of a part whose whole was estimated: at first the estimate counts, then more and more what was
 * measured, as other programs may use the machine too.
 *
 * @param share How much is done, from 0 to 1.
 */
export function remainingSeconds(estimate: number, elapsed: number, share: number): number {
  if (share <= 0) return estimate;
  const trust = Math.min(1, share / trustedShare);
  return (1 - share) * (trust * (elapsed / share) + (1 - trust) * estimate);
}

/** `45 s`, `3 min`. */
export function formatEstimate(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}
