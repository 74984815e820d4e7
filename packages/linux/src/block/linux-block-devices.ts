import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { fileError, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { callOnThread } from "../ffi/thread.ts";
import type { BlockDevices, BlockRange, OpenBlockDevice } from "./block-devices.ts";
import { changePartition } from "./partitions.ts";

const BLKSSZGET = 0x1268n;
const BLKGETSIZE64 = 0x8008_1272n;
const BLKDISCARD = 0x1277n;
const BLKZEROOUT = 0x127fn;

export function createLinuxBlockDevices(): BlockDevices {
  return {
    async open(path, { exclusive = false } = {}) {
      const flags = constants.O_RDWR | (exclusive ? constants.O_EXCL : 0);
      const file = await open(path, flags).catch((err: unknown) => {
        throw fileError("block", `open block device "${path}"`, err);
      });
      try {
        return openDevice(path, file);
      } catch (err) {
        await file.close();
        throw err;
      }
    },
  };
}

function openDevice(path: string, file: FileHandle): OpenBlockDevice {
  const attempt = <T>(verb: string, work: () => Promise<T>): Promise<T> =>
    work().catch((err: unknown) => {
      throw fileError("block", `${verb} block device "${path}"`, err);
    });
  /** The kernel may need minutes for a range, so it is not asked on the thread that serves everything else. */
  const onRange = async (verb: string, request: bigint, { startBytes, sizeBytes }: BlockRange): Promise<void> => {
    const range = Buffer.alloc(16);
    range.writeBigUInt64LE(BigInt(startBytes), 0);
    range.writeBigUInt64LE(BigInt(sizeBytes), 8);
    const { failed } = await callOnThread([{ name: "ioctl", arguments: [file.fd, request, range] }]);
    if (failed === undefined) return;
    const action = `${verb} ${String(sizeBytes)} bytes from ${String(startBytes)} of block device "${path}"`;
    throw kernelError({ area: "block", action, errno: failed.errno, details: { path, startBytes, sizeBytes } });
  };
  return {
    path,
    sizeBytes: Number(question(path, file, BLKGETSIZE64).readBigUInt64LE()),
    sectorBytes: question(path, file, BLKSSZGET).readInt32LE(),
    read: ({ startBytes, sizeBytes }) =>
      attempt("read", async () => {
        const buffer = Buffer.alloc(sizeBytes);
        const { bytesRead } = await file.read(buffer, 0, sizeBytes, startBytes);
        return buffer.subarray(0, bytesRead);
      }),
    write: (startBytes, bytes) =>
      attempt("write to", async () => {
        for (let done = 0; done < bytes.length;) {
          done += (await file.write(bytes, done, bytes.length - done, startBytes + done)).bytesWritten;
        }
      }),
    zero: (range) => onRange("zero", BLKZEROOUT, range),
    discard: (range) => onRange("discard", BLKDISCARD, range),
    sync: () => attempt("sync", () => file.sync()),
    addPartition: (number, range) => changePartition({ path, fd: file.fd, change: "add", number, range }),
    deletePartition: (number) => changePartition({ path, fd: file.fd, change: "delete", number }),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

function question(path: string, file: FileHandle, request: bigint): Buffer {
  const answer = Buffer.alloc(8);
  const { functions, errno } = libc();
  if (functions.ioctl(file.fd, request, answer) >= 0) return answer;
  throw kernelError({ area: "block", action: `measure block device "${path}"`, errno: errno(), details: { path } });
}
