import type { ClockAdjustment, ClockState, KernelClock } from "../clock/kernel-clock.ts";
import { kernelError } from "../ffi/errno.ts";
import type { RebootCommand, System } from "../system/system.ts";

export interface MemorySystem extends System {
  /** Every reboot that was asked for, in order. */
  readonly reboots: readonly RebootCommand[];
  readonly syncs: number;
}

export function createMemorySystem(initialHostname: string): MemorySystem {
  let name = initialHostname;
  let syncs = 0;
  const reboots: RebootCommand[] = [];
  return {
    reboots,
    get syncs() {
      return syncs;
    },
    hostname: () => name,
    setHostname(wanted) {
      if (Buffer.byteLength(wanted) > 64) {
        throw kernelError({ area: "system", action: `set the host name to "${wanted}"`, errno: "EINVAL" });
      }
      name = wanted;
    },
    async sync() {
      syncs += 1;
    },
    reboot: (command) => void reboots.push(command),
  };
}

export interface MemoryClock extends KernelClock {
  /** Time that `set` was last called with. */
  readonly lastSet: bigint | undefined;
  /** Every adjustment that was made, in order. */
  readonly adjustments: readonly ClockAdjustment[];
  /** Clock devices by path, with their time. */
  readonly devices: Map<string, bigint>;
}

export function createMemoryClock(): MemoryClock {
  const STA_UNSYNC = 0x40;
  let lastSet: bigint | undefined;
  /** Time by which the clock is ahead of the real one. */
  let ahead = 0n;
  const real = (): bigint => BigInt(Date.now()) * 1_000_000n;
  const adjustments: ClockAdjustment[] = [];
  const devices = new Map<string, bigint>();
  let state: Omit<ClockState, "synchronized"> = {
    offsetNanoseconds: 0n,
    frequency: 0n,
    maxErrorMicroseconds: 0n,
    estimatedErrorMicroseconds: 0n,
    status: STA_UNSYNC,
    timeConstant: 2n,
    precisionMicroseconds: 1n,
    tickMicroseconds: 10_000n,
    taiOffsetSeconds: 0,
    leapState: 0,
  };
  const read = (): ClockState => ({ ...state, synchronized: (state.status & STA_UNSYNC) === 0 });
  return {
    get lastSet() {
      return lastSet;
    },
    adjustments,
    devices,
    now: () => real() + ahead,
    deviceTime(path) {
      const time = devices.get(path);
      if (time !== undefined) return time;
      throw kernelError({ area: "clock", action: `read the clock device "${path}"`, errno: "ENOENT" });
    },
    set(nanoseconds) {
      if (nanoseconds < 0n) {
        const action = `set the clock to ${String(nanoseconds)} nanoseconds since the epoch`;
        throw kernelError({ area: "clock", action, errno: "EINVAL" });
      }
      lastSet = nanoseconds;
      ahead = nanoseconds - real();
    },
    state: read,
    adjust(adjustment: ClockAdjustment) {
      const { stepNanoseconds = 0n, ...rest } = adjustment;
      adjustments.push(adjustment);
      ahead += stepNanoseconds;
      state = { ...state, ...rest };
      return read();
    },
  };
}
