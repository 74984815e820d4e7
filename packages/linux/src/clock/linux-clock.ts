import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import type { ClockAdjustment, ClockState, KernelClock } from "./kernel-clock.ts";

const CLOCK_REALTIME = 0;
const TIMEX = 208;
const ADJ_NANO = 0x2000;
const STA_UNSYNC = 0x40;
const STA_NANO = 0x2000;

/** Each field of an adjustment: its mode bit and where it stands in struct timex. */
const fields: Readonly<Record<keyof ClockAdjustment, { readonly mode: number; readonly offset: number }>> = {
  offsetNanoseconds: { mode: 0x1 | ADJ_NANO, offset: 8 },
  frequency: { mode: 0x2, offset: 16 },
  maxErrorMicroseconds: { mode: 0x4, offset: 24 },
  estimatedErrorMicroseconds: { mode: 0x8, offset: 32 },
  status: { mode: 0x10, offset: 40 },
  timeConstant: { mode: 0x20, offset: 48 },
};

function adjtimex(adjustment: ClockAdjustment): ClockState {
  const timex = Buffer.alloc(TIMEX);
  let modes = 0;
  for (const [name, { mode, offset }] of Object.entries(fields)) {
    const value = adjustment[name as keyof ClockAdjustment];
    if (value === undefined) continue;
    modes |= mode;
    if (typeof value === "bigint") timex.writeBigInt64LE(value, offset);
    else timex.writeInt32LE(value, offset);
  }
  timex.writeUInt32LE(modes, 0);
  if (libc().functions.adjtimex(timex) < 0) {
    const action =
      modes === 0 ? "read the state of the clock" : `adjust the clock (${Object.keys(adjustment).join(", ")})`;
    throw kernelError({ area: "clock", action, errno: libc().errno() });
  }
  const status = timex.readInt32LE(40);
  const offset = timex.readBigInt64LE(8);
  return {
    offsetNanoseconds: (status & STA_NANO) === 0 ? offset * 1000n : offset,
    frequency: timex.readBigInt64LE(16),
    maxErrorMicroseconds: timex.readBigInt64LE(24),
    estimatedErrorMicroseconds: timex.readBigInt64LE(32),
    status,
    synchronized: (status & STA_UNSYNC) === 0,
    timeConstant: timex.readBigInt64LE(48),
    precisionMicroseconds: timex.readBigInt64LE(56),
    tickMicroseconds: timex.readBigInt64LE(88),
    taiOffsetSeconds: timex.readInt32LE(160),
  };
}

export function createLinuxClock(): KernelClock {
  return {
    set(nanoseconds) {
      const timespec = Buffer.alloc(16);
      timespec.writeBigInt64LE(nanoseconds / 1_000_000_000n, 0);
      timespec.writeBigInt64LE(nanoseconds % 1_000_000_000n, 8);
      if (libc().functions.clock_settime(CLOCK_REALTIME, timespec) < 0) {
        const action = `set the clock to ${String(nanoseconds)} nanoseconds since the epoch`;
        throw kernelError({ area: "clock", action, errno: libc().errno() });
      }
    },
    state: () => adjtimex({}),
    adjust: adjtimex,
  };
}
