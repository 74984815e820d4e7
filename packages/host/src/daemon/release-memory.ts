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
  collect();
  releaseFreeMemory();
  releaseProgramPages();
}

/** Bytes of the heap behind the last collection. */
let keptBytes = 0;

function collect(): void {
  collectGarbage();
  keptBytes = heapBytes();
}

function heapBytes(): number {
  return process.memoryUsage().heapUsed;
}

/** Growth of the heap that is looked through for garbage, in bytes; V8 itself waits for much more. */
const maxGarbageBytes = 6 * 1024 * 1024;

/** Between two returns of what bursts of work left behind, in ms. */
const everyMs = 60_000;

let repeating = false;

/**
 * Gives back the memory of the start after `afterMs`, and from then on what bursts of work leave behind, once a minute. A daemon
 * that starts in several steps calls it for each of them.
 */
export function keepMemorySmall(afterMs: number): void {
  setTimeout(() => {
    releaseMemory();
    if (repeating) return;
    repeating = true;
    setInterval(releaseUnused, everyMs).unref();
  }, afterMs).unref();
}

function releaseUnused(): void {
  if (heapBytes() > keptBytes + maxGarbageBytes) collect();
  releaseFreeMemory();
  releaseProgramPages();
}
