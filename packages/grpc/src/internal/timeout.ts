const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

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

/** Milliseconds of a `grpc-timeout` value; `undefined` when it is malformed. */
export function decodeTimeout(value: string): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(value);
  if (match === null) return undefined;
  return Number(match[1]) * (unitMs[match[2] as string] as number);
}
