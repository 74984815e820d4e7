import type { Clock } from "@talos-ts/base";
import type { Linux, ProcessInfo } from "@talos-ts/linux";

/** Signals in order, and the time to exit after each. */
const steps = [
  { signal: "SIGTERM", timeoutMs: 5000 },
  { signal: "SIGKILL", timeoutMs: 5000 },
] as const;
const pauseMs = 20;

/**
 * Ends every process but this one: SIGTERM, then SIGKILL. Zombies count as ended.
 * @returns the PIDs of processes that are still running
 */
export async function endProcesses(
  { procfs, processes }: Pick<Linux, "procfs" | "processes">,
  clock: Clock,
): Promise<readonly number[]> {
  const others = async (): Promise<number[]> =>
    (await procfs.processes())
      .filter((each) => each.pid !== process.pid && each.state !== "Z" && !isKernelThread(each))
      .map(({ pid }) => pid);
  const { signal: never } = new AbortController();
  let left = await others();
  for (const { signal, timeoutMs } of steps) {
    for (const pid of left) {
      try {
        processes.kill(pid, signal);
      } catch {
        // It was faster.
      }
    }
    const until = clock.monotonic() + timeoutMs;
    for (left = await others(); left.length > 0 && clock.monotonic() < until; left = await others()) {
      await clock.sleep(pauseMs, never);
    }
  }
  return left;
}

/** Threads of the kernel are listed as processes without a program and without memory, and take no signals. */
function isKernelThread({ executable, virtualBytes, arguments: args }: ProcessInfo): boolean {
  return executable === "" && virtualBytes === 0n && args.length === 0;
}
