import { findDisplay } from "../consoles/find-display.ts";
import type { Consoles } from "../consoles/consoles.ts";
import { kernelError } from "../ffi/errno.ts";
import type { TextFiles } from "../files/text-files.ts";

/** Virtual terminals that a kernel can have. */
const terminals = 63;

/** Consoles in memory, as tests look at them. */
export interface MemoryConsoles extends Consoles {
  /** Virtual terminal on the display. */
  readonly active: number;
  /** Virtual terminal that the kernel logs to; `undefined` while it is the active one. */
  readonly kernelLog: number | undefined;
}

export function createMemoryConsoles(files: Pick<TextFiles, "list" | "read">): MemoryConsoles {
  let active = 1;
  let kernelLog: number | undefined;
  const check = (number: number, action: string): void => {
    if (number >= 1 && number <= terminals) return;
    throw kernelError({ area: "console", action, errno: "ENXIO", details: { number } });
  };
  return {
    get active() {
      return active;
    },
    get kernelLog() {
      return kernelLog;
    },
    display: () => findDisplay(files),
    async activate(number) {
      check(number, `bring virtual terminal ${String(number)} onto the display`);
      active = number;
    },
    keepKernelLog(number) {
      check(number, `keep the kernel log on virtual terminal ${String(number)}`);
      kernelLog = number;
    },
  };
}
