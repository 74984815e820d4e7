import { collectGarbage } from "./collect-garbage.ts";
import { releaseFreeMemory } from "@talos-ts/linux/release-free-memory";
import { releaseProgramPages } from "@talos-ts/linux/release-program-pages";

/**
 * Gives back the memory that starting up needed.
 *
 * A daemon touches most of its memory while it starts and little afterwards. Measured, this halves what an idle daemon
 * keeps. Takes some ten milliseconds: call it once, when the start is over.
 */
export function releaseMemory(): void {
  collectGarbage();
  releaseFreeMemory();
  releaseProgramPages();
}

/** Between two returns of what bursts of work left behind, in ms. */
const everyMs = 60_000;

/** Gives back the memory of the start after `afterMs`, and from then on what bursts of work leave behind, once a minute. */
export function keepMemorySmall(afterMs: number): void {
  const releaseUnused = (): void => {
    releaseFreeMemory();
    releaseProgramPages();
  };
  setTimeout(() => {
    releaseMemory();
    setInterval(releaseUnused, everyMs).unref();
  }, afterMs).unref();
}
