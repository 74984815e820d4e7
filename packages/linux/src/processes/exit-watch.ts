import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { watchReadable } from "../ffi/poll.ts";

/** Exit of a process; one of both is set. */
export interface ExitStatus {
  readonly exitCode: number | undefined;
  /** Number of the signal that ended it. */
  readonly signal: number | undefined;
}

const SYS_pidfd_open = 434n;
/** `_IOWR(0xff, 11, struct pidfd_info)` with the 64 bytes of its first version. */
const PIDFD_GET_INFO = 0xc040_ff0bn;
const PIDFD_INFO_EXIT = 1n << 3n;
const infoBytes = 64;
const exitCodeOffset = 60;

/** Time the parent of a process may take to reap it, before which the kernel keeps the status to itself. */
const reapMs = 1000;
const retryMs = 10;

/**
 * Calls back once when a process has ended that need not be a child of this one (pidfd_open(2)).
 *
 * The status is `undefined` on kernels before 6.15, which tell it to the parent alone.
 *
 * @throws {OsError} `process/esrch` when there is no such process.
 */
export function watchExit(pid: number, onExit: (status: ExitStatus | undefined) => void): Disposable {
  const { functions, errno } = libc();
  const fd = Number(functions.syscall(SYS_pidfd_open, BigInt(pid), 0n, 0n));
  if (fd < 0) {
    throw kernelError({ area: "process", action: `watch process ${String(pid)}`, errno: errno(), details: { pid } });
  }
  let open = true;
  let retry: NodeJS.Timeout | undefined;
  const watch = watchReadable(fd, () => {
    watch.close();
    const deadline = performance.now() + reapMs;
    const ask = (): void => {
      const status = readStatus(fd);
      if (status === undefined && performance.now() < deadline) {
        retry = setTimeout(ask, retryMs);
        return;
      }
      close();
      onExit(status);
    };
    ask();
  });
  const close = (): void => {
    if (!open) return;
    open = false;
    clearTimeout(retry);
    watch.close();
    functions.close(fd);
  };
  return { [Symbol.dispose]: close };
}

function readStatus(fd: number): ExitStatus | undefined {
  const info = Buffer.alloc(infoBytes);
  info.writeBigUInt64LE(PIDFD_INFO_EXIT);
  if (libc().functions.ioctl(fd, PIDFD_GET_INFO, info) < 0) return undefined;
  if ((info.readBigUInt64LE() & PIDFD_INFO_EXIT) === 0n) return undefined;
  const code = info.readInt32LE(exitCodeOffset);
  const signal = code & 0x7f;
  return signal === 0 ? { exitCode: (code >> 8) & 0xff, signal: undefined } : { exitCode: undefined, signal };
}
