import { createBackoff, systemClock, type Clock } from "@talos-ts/base";
import { open, rm } from "node:fs/promises";
import { cString } from "../ffi/c-string.ts";
import { errnoName, fileError, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import type { FileLock, Files, LockOptions } from "./files.ts";

const LOCK_SH = 1;
const LOCK_EX = 2;
const LOCK_NB = 4;

async function tryLock(path: string, { shared = false }: LockOptions = {}): Promise<FileLock | undefined> {
  const file = await open(path, "a").catch((err: unknown) => {
    throw fileError("file", `open "${path}" to lock it`, err);
  });
  if (libc().functions.flock(file.fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) < 0) {
    const errno = libc().errno();
    await file.close();
    if (errnoName(errno) === "EAGAIN") return undefined;
    throw kernelError({ area: "file", action: `lock "${path}"`, errno, details: { path } });
  }
  return { path, [Symbol.asyncDispose]: () => file.close() };
}

async function makeFifo(path: string, mode: number): Promise<void> {
  await rm(path, { force: true });
  const { functions, errno } = libc();
  if (functions.mkfifo(cString(path), mode) === 0) return;
  throw kernelError({ area: "file", action: `make the pipe "${path}"`, errno: errno(), details: { path } });
}

function getAttribute(path: string, name: string): Buffer | undefined {
  const { functions, errno } = libc();
  const [file, key] = [cString(path), cString(name)];
  for (let size = 256; ; size *= 4) {
    const value = Buffer.alloc(size);
    const length = functions.lgetxattr(file, key, value, BigInt(size));
    if (length >= 0n) return value.subarray(0, Number(length));
    const failure = errno();
    if (errnoName(failure) === "ERANGE" && size < 65536) continue;
    if (errnoName(failure) === "ENODATA") return undefined;
    const action = `read attribute "${name}" of "${path}"`;
    throw kernelError({ area: "file", action, errno: failure, details: { path, name } });
  }
}

export function createLinuxFiles(clock: Clock = systemClock): Files {
  return {
    tryLock,
    async lock(path, { signal, ...options } = {}) {
      // The kernel can wait for a lock only by blocking a thread that no signal can free; asking again can be stopped.
      const backoff = createBackoff({ initialMs: 5, factor: 2, maxMs: 250 });
      for (;;) {
        signal?.throwIfAborted();
        const lock = await tryLock(path, options);
        if (lock !== undefined) return lock;
        await clock.sleep(backoff.next(), signal);
      }
    },
    makeFifo,
    getAttribute,
  };
}
