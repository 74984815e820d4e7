import { convert, field, int32, int64, message, type Single } from "../dsl/index.ts";

/** Time that Go takes for "no time": the first second of year 1. */
const neverSeconds = -62_135_596_800;
/** The last second of year 9999, where RFC 3339 ends. */
const lastSeconds = 253_402_300_799;

/** A moment in milliseconds since the epoch (fractions down to a microsecond); `undefined` is never. */
export const time: Single<number | undefined> = convert(message({ seconds: field(1, int64), nanos: field(2, int32) }), {
  zero: undefined,
  from({ seconds, nanos }) {
    if (seconds === neverSeconds) return undefined;
    if (seconds < neverSeconds || seconds > lastSeconds) throw new RangeError(`${seconds} s is not a moment`);
    return seconds * 1e3 + Math.round(nanos / 1e3) / 1e3;
  },
  to(ms) {
    if (ms === undefined) return { seconds: neverSeconds, nanos: 0 };
    const seconds = Math.floor(ms / 1e3);
    return { seconds, nanos: Math.round((ms - seconds * 1e3) * 1e3) * 1e3 };
  },
  toPlain: formatTime,
});

/** RFC 3339 in UTC, with as many digits of the second as there are. */
export function formatTime(ms: number | undefined): string {
  if (ms === undefined) return "0001-01-01T00:00:00Z";
  const seconds = Math.floor(ms / 1e3);
  const fraction = String(Math.round((ms - seconds * 1e3) * 1e3))
    .padStart(6, "0")
    .replace(/0+$/, "");
  const text = new Date(seconds * 1e3).toISOString().slice(0, -".000Z".length);
  return `${text}${fraction === "" ? "" : `.${fraction}`}Z`;
}
