import { cString } from "../ffi/c-string.ts";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import type { ClockAdjustment, ClockState, KernelClock } from "./kernel-clock.ts";

const CLOCK_REALTIME = 0;
const TIMEX = 208;
const ADJ_NANO = 0x2000;
const STA_UNSYNC = 0x40;
const STA_NANO = 0x2000;
const ADJ_SETOFFSET = 0x100;
const O_RDONLY_CLOEXEC = 0x80000;
const nanosecondsPerSecond = 1_000_000_000n;
/** Offset of the time in struct timex: seconds, then nanoseconds. */
const timeOffset = 72;

/** Each field of an adjustment: its mode bit and where it stands in struct timex. */
const fields: Readonly<
  Record<Exclude<keyof ClockAdjustment, "stepNanoseconds">, { readonly mode: number; readonly offset: number }>
> = {
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
    const value = adjustment[name as keyof typeof fields];
    if (value === undefined) continue;
    modes |= mode;
    if (typeof value === "bigint") timex.writeBigInt64LE(value, offset);
    else timex.writeInt32LE(value, offset);
  }
  if (adjustment.stepNanoseconds !== undefined) {
    modes |= ADJ_SETOFFSET | ADJ_NANO;
    writeTimespec(timex, adjustment.stepNanoseconds, timeOffset);
  }
  timex.writeUInt32LE(modes, 0);
  const leapState = libc().functions.adjtimex(timex);
  if (leapState < 0) {
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
    leapState,
  };
}

/** The kernel wants the part below a second to be positive, also of a negative time. */
function writeTimespec(target: Buffer, nanoseconds: bigint, at: number): void {
  const rest = ((nanoseconds % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
  target.writeBigInt64LE((nanoseconds - rest) / nanosecondsPerSecond, at);
  target.writeBigInt64LE(rest, at + 8);
}

function readClock(id: number, action: string): bigint {
  const timespec = Buffer.alloc(16);
  if (libc().functions.clock_gettime(id, timespec) < 0) {
    throw kernelError({ area: "clock", action, errno: libc().errno() });
  }
  return timespec.readBigInt64LE(0) * nanosecondsPerSecond + timespec.readBigInt64LE(8);
}

/** Reads a clock device through its descriptor, whose number stands for the clock (clock_gettime(2), "Dynamic clocks"). */
function readDevice(path: string): bigint {
  const action = `read the clock device "${path}"`;
  const descriptor = libc().functions.open(cString(path), O_RDONLY_CLOEXEC);
  if (descriptor < 0) throw kernelError({ area: "clock", action, errno: libc().errno() });
  try {
    return readClock((~descriptor << 3) | 3, action);
  } finally {
    libc().functions.close(descriptor);
  }
}

export function createLinuxClock(): KernelClock {
  return {
    now: () => readClock(CLOCK_REALTIME, "read the clock"),
    deviceTime: readDevice,
    set(nanoseconds) {
      const timespec = Buffer.alloc(16);
      writeTimespec(timespec, nanoseconds, 0);
      if (libc().functions.clock_settime(CLOCK_REALTIME, timespec) < 0) {
        const action = `set the clock to ${String(nanoseconds)} nanoseconds since the epoch`;
        throw kernelError({ area: "clock", action, errno: libc().errno() });
      }
    },
    state: () => adjtimex({}),
    adjust: adjtimex,
  };
}
