import { kernelError } from "../ffi/errno.ts";
import type { Watchdogs } from "../watchdogs/watchdogs.ts";

/** A watchdog in memory, as tests look at it. */
export interface MemoryWatchdog {
  /** Longest timeout that it takes, in seconds. */
  readonly maxSeconds: number;
  armed: boolean;
  seconds: number;
  /** Number of times that it was fed since it was armed. */
  fed: number;
}

export interface MemoryWatchdogs extends Watchdogs {
  /** Devices by path. */
  readonly devices: Map<string, MemoryWatchdog>;
}

export function createMemoryWatchdogs(): MemoryWatchdogs {
  const devices = new Map<string, MemoryWatchdog>();
  return {
    devices,
    open(path) {
      const device = devices.get(path);
      const action = `open watchdog "${path}"`;
      if (device === undefined) throw kernelError({ area: "watchdog", action, errno: "ENOENT", details: { path } });
      if (device.armed) throw kernelError({ area: "watchdog", action, errno: "EBUSY", details: { path } });
      Object.assign(device, { armed: true, fed: 0 });
      return {
        path,
        setTimeout(seconds) {
          device.seconds = Math.min(seconds, device.maxSeconds);
          return device.seconds;
        },
        feed() {
          device.fed += 1;
        },
        [Symbol.dispose]() {
          device.armed = false;
        },
      };
    },
  };
}
