import { constants, closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { fileError, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { watchReadable } from "../ffi/poll.ts";
import { parseKernelLogRecord, severities, type KernelLog, type KernelLogOptions } from "./kernel-log.ts";

const SEEK_END = 2;
const LARGEST_RECORD = 8192;
const FACILITY_USER = 1;
/** Records read in one turn of the event loop. */
const TURN = 256;

function openDevice(path: string, atEnd: boolean): number {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (err) {
    throw fileError("kmsg", `open "${path}"`, err);
  }
  if (atEnd && libc().functions.lseek(fd, 0n, SEEK_END) < 0n) {
    const errno = libc().errno();
    closeSync(fd);
    throw kernelError({ area: "kmsg", action: `skip to the end of "${path}"`, errno });
  }
  return fd;
}

/** Calls `read` for the next record: its text, `undefined` when none waits. One read never takes more than one. */
function readRecord(fd: number, buffer: Buffer): string | undefined {
  for (;;) {
    try {
      return buffer.toString("utf8", 0, readSync(fd, buffer, 0, buffer.length, null));
    } catch (err) {
      const { code } = err as NodeJS.ErrnoException;
      if (code === "EAGAIN") return undefined;
      // The record was overwritten before it was read; the next read goes on with the oldest that is left.
      if (code !== "EPIPE") throw fileError("kmsg", "read the kernel log", err);
    }
  }
}

async function readable(fd: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = (): void => resolve();
  using _watch = watchReadable(fd, wake);
  signal?.addEventListener("abort", wake, { once: true });
  await promise;
  signal?.removeEventListener("abort", wake);
}

export function createLinuxKernelLog(path = "/dev/kmsg"): KernelLog {
  return {
    async *read({ follow = false, from = "start", signal }: KernelLogOptions = {}) {
      const fd = openDevice(path, from === "end");
      try {
        const buffer = Buffer.alloc(LARGEST_RECORD);
        for (let count = 1; ; count++) {
          if (signal?.aborted === true) return;
          const record = readRecord(fd, buffer);
          if (record === "") return;
          if (record !== undefined) yield parseKernelLogRecord(record);
          else if (follow) await readable(fd, signal);
          else return;
          if (count % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        closeSync(fd);
      }
    },
    async write(text, severity = "info") {
      const priority = FACILITY_USER * 8 + severities.indexOf(severity);
      try {
        await using device = await open(path, constants.O_WRONLY);
        await device.write(`<${String(priority)}>${text}\n`);
      } catch (err) {
        throw fileError("kmsg", `write to "${path}"`, err);
      }
    },
  };
}
