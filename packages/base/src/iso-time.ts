let second = Number.NaN;
let prefix = "";

/**
 * Formats a time as `Date.toISOString` does, some ten times as fast for times of the same second: a daemon does it for every call.
 *
 * @param ms Milliseconds since the epoch, whole.
 */
export function isoTime(ms: number): string {
  const now = Math.floor(ms / 1000);
  if (now !== second) {
    prefix = new Date(now * 1000).toISOString().slice(0, -4);
    second = now;
  }
  return `${prefix}${String(ms - now * 1000).padStart(3, "0")}Z`;
}
