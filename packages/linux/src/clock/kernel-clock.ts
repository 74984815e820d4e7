/** The discipline of the system clock, as adjtimex(2) tells it. */
export interface ClockState {
  /** Offset that the kernel still has to correct. */
  readonly offsetNanoseconds: bigint;
  /** Parts per million, in units of 2⁻¹⁶. */
  readonly frequency: bigint;
  readonly maxErrorMicroseconds: bigint;
  readonly estimatedErrorMicroseconds: bigint;
  /** STA_* bits. */
  readonly status: number;
  readonly synchronized: boolean;
  readonly timeConstant: bigint;
  readonly precisionMicroseconds: bigint;
  readonly tickMicroseconds: bigint;
  /** TAI − UTC in seconds. */
  readonly taiOffsetSeconds: number;
  /** Result of adjtimex(2): TIME_OK, TIME_INS, TIME_DEL, TIME_OOP, TIME_WAIT, TIME_ERROR as 0 to 5. */
  readonly leapState: number;
}

/** Changes to make; fields that are left out stay as they are. */
export interface ClockAdjustment {
  /** Lets the clock run faster or slower until it has made this up. */
  readonly offsetNanoseconds?: bigint;
  /** Jumps by this, as one step of the kernel (ADJ_SETOFFSET). */
  readonly stepNanoseconds?: bigint;
  readonly frequency?: bigint;
  readonly maxErrorMicroseconds?: bigint;
  readonly estimatedErrorMicroseconds?: bigint;
  readonly status?: number;
  readonly timeConstant?: bigint;
}

/** The wall clock of the machine. Errors have codes `clock/<errno>`. */
export interface KernelClock {
  /** The time, in nanoseconds since the epoch. */
  now(): bigint;
  /** The time of a clock device, as `/dev/ptp0`, in nanoseconds since the epoch. */
  deviceTime(path: string): bigint;
  /** Jumps to a time, in nanoseconds since the epoch. */
  set(nanoseconds: bigint): void;
  state(): ClockState;
  adjust(adjustment: ClockAdjustment): ClockState;
}
