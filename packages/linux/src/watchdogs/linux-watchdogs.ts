import { closeSync, openSync, writeSync } from "node:fs";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import type { Watchdogs } from "./watchdogs.ts";

const WDIOC_KEEPALIVE = 0x8004_5705n;
const WDIOC_SETTIMEOUT = 0xc004_5706n;
/** Closing after this was written does not reset the machine (WDIOF_MAGICCLOSE). */
const magicClose = "V";

export function createLinuxWatchdogs(): Watchdogs {
  return {
    open(path) {
      const fd = openDevice(path);
      const control = (request: bigint, value: Buffer, action: string): void => {
        const { functions, errno } = libc();
        if (functions.ioctl(fd, request, value) >= 0) return;
        throw kernelError({ area: "watchdog", action: `${action} "${path}"`, errno: errno(), details: { path } });
      };
      return {
        path,
        setTimeout(seconds) {
          const value = Buffer.alloc(4);
          value.writeInt32LE(seconds);
          control(WDIOC_SETTIMEOUT, value, "set the timeout of watchdog");
          return value.readInt32LE();
        },
        feed: () => control(WDIOC_KEEPALIVE, Buffer.alloc(4), "feed watchdog"),
        [Symbol.dispose]() {
          try {
            writeSync(fd, magicClose);
          } finally {
            closeSync(fd);
          }
        },
      };
    },
  };
}

function openDevice(path: string): number {
  try {
    return openSync(path, "r+");
  } catch (err) {
    const errno = (err as NodeJS.ErrnoException).code ?? "EIO";
    throw kernelError({ area: "watchdog", action: `open watchdog "${path}"`, errno, details: { path } });
  }
}
