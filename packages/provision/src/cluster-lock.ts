import { OsError, systemClock } from "@talos-ts/base";
import { lockFile } from "@talos-ts/host";
import { isHostProcess } from "./host-process.ts";

const pauseMs = 100;

/**
 * Keeps other processes from changing a cluster until disposed. Waits for the supervisor of the cluster, which has the lock only
 * while it starts a node.
 *
 * @throws OsError `provision/locked` when another process is at it.
 */
export function lockCluster(directory: string): Promise<AsyncDisposable> {
  return lockFile(`${directory}.lock`, async (holder) => {
    if (await isHostProcess(holder, directory)) return await systemClock.sleep(pauseMs);
    throw new OsError({
      kind: "aborted",
      code: "provision/locked",
      message: `Cannot lock the cluster in "${directory}": process ${holder} holds the lock`,
      next: `ps -p ${holder} (once it has ended, run this command again)`,
      details: { pid: holder },
    });
  });
}

/** Takes the lock for the supervisor of a cluster: waits for whoever has it, until the signal aborts. */
export function waitForCluster(directory: string, signal: AbortSignal): Promise<AsyncDisposable> {
  return lockFile(`${directory}.lock`, () => systemClock.sleep(pauseMs, signal));
}
