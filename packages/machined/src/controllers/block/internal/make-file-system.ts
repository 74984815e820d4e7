import { runTool } from "@talos-ts/host";

/** Makes an empty file system on a device. */
export type Format = (device: string, label: string, sizeBytes: number, signal: AbortSignal) => Promise<void>;

/** Below this size `mkfs.xfs` wants to be told that it is meant. */
const smallBytes = 300 * 1024 ** 2;

/** Makes an XFS with the program of the image. */
export const makeFileSystem: Format = async (device, label, sizeBytes, signal) => {
  const small = sizeBytes < smallBytes ? ["--unsupported"] : [];
  await runTool("/usr/sbin/mkfs.xfs", ["-f", "-q", "-K", "-L", label, ...small, device], { signal });
};
