import { formatGoDuration, parseGoDuration } from "@talos-ts/base";
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
  toPlain: formatMsAsGo,
  fromPlain: (plain) => Number(parseGoDuration(String(plain))) / nanosPerMs,
});

/** The text Go's `time.Duration` has for so many milliseconds. */
export function formatMsAsGo(ms: number): string {
  return formatGoDuration(BigInt(Math.round(ms * nanosPerMs)));
}
