import { convert, field, int32, int64, message, type Single } from "../dsl/index.ts";

const nanosPerMs = 1e6;
const nanosPerSecond = 1e9;

/** A span of time in milliseconds (fractions down to a nanosecond), printed as Go prints it: `1h0m0s`. */
export const duration: Single<number> = convert(message({ seconds: field(1, int64), nanos: field(2, int32) }), {
  zero: 0,
  from: ({ seconds, nanos }) => (seconds * nanosPerSecond + nanos) / nanosPerMs,
  to(ms) {
    const nanos = Math.round(ms * nanosPerMs);
    const seconds = Math.trunc(nanos / nanosPerSecond);
    return { seconds, nanos: nanos - seconds * nanosPerSecond };
  },
  toPlain: formatDuration,
});

const smallUnits = [
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
] as const;

/** The text Go's `time.Duration` has for so many milliseconds. */
export function formatDuration(ms: number): string {
  const nanos = Math.round(Math.abs(ms) * nanosPerMs);
  if (nanos === 0) return "0s";
  const sign = ms < 0 ? "-" : "";
  for (const [size, unit] of smallUnits) {
    if (nanos < nanosPerSecond && nanos >= size) return `${sign}${decimal(nanos, size)}${unit}`;
  }
  const minutes = Math.floor(nanos / (60 * nanosPerSecond));
  const seconds = `${decimal(nanos - minutes * 60 * nanosPerSecond, nanosPerSecond)}s`;
  if (minutes === 0) return sign + seconds;
  const hours = Math.floor(minutes / 60);
  return `${sign}${hours > 0 ? `${hours}h` : ""}${minutes % 60}m${seconds}`;
}

/** `value / unit` with all its digits and no zeros behind them. */
function decimal(value: number, unit: number): string {
  const whole = Math.floor(value / unit);
  const rest = (value - whole * unit).toString().padStart(Math.log10(unit), "0").replace(/0+$/, "");
  return unit === 1 || rest === "" ? String(whole) : `${whole}.${rest}`;
}
