import type { ControllerContext } from "@talos-ts/cosi";

/** Timers of the platform end after 24 days; whoever waits longer looks again in between. */
const longestMs = 24 * 3_600_000;

/** Wakes the controller at a time that may be far away; it must look whether that time has come. */
export function queueRefresh(context: Pick<ControllerContext, "queueReconcile">, delayMs: number): void {
  context.queueReconcile(Math.min(Math.max(delayMs, 0), longestMs));
}
