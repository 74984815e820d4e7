import type { TimeSample } from "./query-time.ts";

const keptSamples = 8;
/** A sample further away than this many times the jitter is a spike (RFC 5905: SGATE). */
const gate = 3;
/** Jitter below this is noise of the measurement itself, in nanoseconds. */
const leastJitter = 1_000_000;

/** Tells outliers of a series of samples. */
export interface SpikeFilter {
  /** Root mean square of the differences between samples that follow each other, in nanoseconds. */
  readonly jitter: number;
  /** Takes a sample into the series. @returns true when it is an outlier that must not move the clock */
  isSpike(sample: Pick<TimeSample, "offset" | "delay">): boolean;
  /** Starts anew, after the clock was stepped. */
  reset(): void;
}

/**
 * Creates the popcorn spike suppressor of RFC 5905 (section 10): a sample far from the one before it is held back, a second one
 * in a row is believed, since then the time did change. A sample whose distance its own delay explains is no news about the clock.
 */
export function createSpikeFilter(): SpikeFilter {
  let differences: number[] = [];
  let last: number | undefined;
  let heldBack = false;
  const jitter = (): number =>
    differences.length === 0
      ? 0
      : Math.sqrt(differences.reduce((sum, value) => sum + value * value, 0) / differences.length);
  return {
    get jitter() {
      return jitter();
    },
    isSpike({ offset, delay }) {
      const value = Number(offset);
      const difference = last === undefined ? 0 : Math.abs(value - last);
      const limit = Math.max(gate * Math.max(jitter(), leastJitter), Number(delay) / 2);
      if (last !== undefined && differences.length > 0 && difference > limit && !heldBack) {
        heldBack = true;
        return true;
      }
      heldBack = false;
      if (last !== undefined) differences = [...differences, difference].slice(-keptSamples);
      last = value;
      return false;
    },
    reset() {
      differences = [];
      last = undefined;
      heldBack = false;
    },
  };
}
