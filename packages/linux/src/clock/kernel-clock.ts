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
}

/** Changes to make; fields that are left out stay as they are. */
export interface ClockAdjustment {
  /** Lets the clock run faster or slower until it has made this up. */
  readonly offsetNanoseconds?: bigint;
  readonly frequency?: bigint;
  readonly maxErrorMicroseconds?: bigint;
  readonly estimatedErrorMicroseconds?: bigint;
  readonly status?: number;
  readonly timeConstant?: bigint;
}

/** The wall clock of the machine. Errors have codes `clock/<errno>`. */
export interface KernelClock {
  /** Jumps to a time, in nanoseconds since the epoch. */
  set(nanoseconds: bigint): void;
  state(): ClockState;
  adjust(adjustment: ClockAdjustment): ClockState;
}
