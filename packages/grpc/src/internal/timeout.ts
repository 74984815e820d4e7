const unitMs: Readonly<Record<string, number | undefined>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Longer timers overflow to one millisecond in Node. */
export const maxTimerMs = 2 ** 31 - 1;

/** Formats `grpc-timeout`: at most eight digits and the finest unit that fits; a past deadline is sent as the shortest. */
export function encodeTimeout(ms: number): string {
  if (!(ms > 0)) return "1n";
  const whole = Math.ceil(ms);
  if (whole < 1e8) return `${String(whole)}m`;
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 1e8) return `${String(seconds)}S`;
  return `${String(Math.min(99_999_999, Math.ceil(seconds / 3600)))}H`;
}

const maxDigits = 8;
const digitZero = 0x30;

/** Milliseconds of a `grpc-timeout` value; `undefined` when it is malformed. Read by hand: a new one comes with every call. */
export function decodeTimeout(value: string): number | undefined {
  const last = value.length - 1;
  const unit = unitMs[value.charAt(last)];
  if (unit === undefined || last < 1 || last > maxDigits) return undefined;
  let count = 0;
  for (let index = 0; index < last; index += 1) {
    const digit = value.charCodeAt(index) - digitZero;
    if (digit < 0 || digit > 9) return undefined;
    count = count * 10 + digit;
  }
  return count * unit;
}
