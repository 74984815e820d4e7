import type { Clock } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";

/** What is done to those that still live, and how long they then have. */
const steps = [
  { signal: "SIGTERM", patienceMs: 5000 },
  { signal: "SIGKILL", patienceMs: 5000 },
] as const;
const pauseMs = 20;

/**
 * Ends every process but this one: asks, then forces. What died and waits to be buried counts as ended.
 * @returns the ids of those that live on
 */
export async function endProcesses(
  { procfs, processes }: Pick<Linux, "procfs" | "processes">,
  clock: Clock,
): Promise<readonly number[]> {
  const others = async (): Promise<number[]> =>
    (await procfs.processes()).filter(({ pid, state }) => pid !== process.pid && state !== "Z").map(({ pid }) => pid);
  const { signal: never } = new AbortController();
  let left = await others();
  for (const { signal, patienceMs } of steps) {
    for (const pid of left) {
      try {
        processes.kill(pid, signal);
      } catch {
        // It was faster.
      }
    }
    const until = clock.monotonic() + patienceMs;
    for (left = await others(); left.length > 0 && clock.monotonic() < until; left = await others()) {
      await clock.sleep(pauseMs, never);
    }
  }
  return left;
}
