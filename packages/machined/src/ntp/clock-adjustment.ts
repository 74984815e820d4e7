import type { ClockAdjustment } from "@talos-ts/linux";
import type { Leap } from "./ntp-packet.ts";
import type { TimeSample } from "./query-time.ts";

/** Offsets above this are made up by a step, smaller ones by running faster or slower (RFC 5905: STEPT). In nanoseconds. */
const stepThreshold = 128_000_000n;

/** STA_PLL: the kernel steers frequency and phase by offsets it is told. */
const phaseLocked = 0x1;
const leapBits: Readonly<Record<Leap, number>> = { none: 0, insert: 0x10, delete: 0x20 };

/**
 * The adjustment of the kernel's clock that a sample asks for. Every adjustment marks the clock as synchronized, which also makes
 * the kernel write the time to the hardware clock every eleven minutes.
 */
export function clockAdjustment(
  { offset, leap, rootDistance }: Pick<TimeSample, "offset" | "leap" | "rootDistance">,
  { jitter, pollSeconds }: { readonly jitter: number; readonly pollSeconds: number },
): ClockAdjustment {
  const errors = {
    maxErrorMicroseconds: rootDistance / 1000n,
    estimatedErrorMicroseconds: BigInt(Math.round(jitter / 1000)),
  };
  if (offset > stepThreshold || offset < -stepThreshold) {
    return { stepNanoseconds: offset, status: leapBits[leap], ...errors };
  }
  const timeConstant = BigInt(Math.max(0, Math.floor(Math.log2(pollSeconds)) - 4));
  return { offsetNanoseconds: offset, status: phaseLocked | leapBits[leap], timeConstant, ...errors };
}
