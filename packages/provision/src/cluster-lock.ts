import { OsError } from "@talos-ts/base";
import { lockFile } from "@talos-ts/host";

/**
 * Keeps other processes from changing a cluster until disposed.
 *
 * @throws OsError `provision/locked` when another process is at it.
 */
export function lockCluster(directory: string): Promise<AsyncDisposable> {
  return lockFile(`${directory}.lock`, async (holder) => {
    throw new OsError({
      kind: "aborted",
      code: "provision/locked",
      message: `Locked the cluster in "${directory}", but process ${holder} is working on it`,
      next: `ps -p ${holder} (once it has ended, run this command again)`,
      details: { pid: holder },
    });
  });
}
