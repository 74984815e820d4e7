import { closeSync, constants, openSync } from "node:fs";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { callOnThread } from "../ffi/thread.ts";
import type { TextFiles } from "../files/text-files.ts";
import type { Consoles } from "./consoles.ts";
import { findDisplay } from "./find-display.ts";

// Requests of ioctl_console(2).
const VT_ACTIVATE = 0x5606n;
const VT_WAITACTIVE = 0x5607n;
const TIOCLINUX = 0x541cn;
const TIOCL_SETKMSGREDIRECT = 11;

export function createLinuxConsoles(files: Pick<TextFiles, "list" | "read">): Consoles {
  return {
    display: () => findDisplay(files),
    async activate(number) {
      const action = `bring virtual terminal ${String(number)} onto the display`;
      // Any virtual terminal takes the request; this one is the active one.
      using device = openTerminal("/dev/tty0", action);
      // A terminal whose process answers for switches may let us wait.
      const { failed } = await callOnThread(
        [VT_ACTIVATE, VT_WAITACTIVE].map((request) => ({
          name: "ioctl",
          arguments: [device.fd, request, BigInt(number)],
        })),
      );
      if (failed !== undefined)
        throw kernelError({ area: "console", action, errno: failed.errno, details: { number } });
    },
    keepKernelLog(number) {
      const action = `keep the kernel log on virtual terminal ${String(number)}`;
      using device = openTerminal(`/dev/tty${String(number)}`, action);
      const { functions, errno } = libc();
      if (functions.ioctl(device.fd, TIOCLINUX, Buffer.from([TIOCL_SETKMSGREDIRECT, number])) < 0) {
        throw kernelError({ area: "console", action, errno: errno(), details: { number } });
      }
    },
  };
}

/** Opens a terminal that shall not become the one that controls this process. */
function openTerminal(path: string, action: string): Disposable & { readonly fd: number } {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
    return { fd, [Symbol.dispose]: () => closeSync(fd) };
  } catch (err) {
    const errno = (err as NodeJS.ErrnoException).code ?? "EIO";
    throw kernelError({ area: "console", action, errno, details: { path } });
  }
}
