import { formatGoDuration, goDurationMs, OsError } from "@talos-ts/base";

/**
 * Milliseconds of a span as in `1h30m`, `90s` or `500ms`.
 *
 * @throws `cli/bad-duration`
 */
export function parseDuration(text: string): number {
  try {
    const ms = goDurationMs(text);
    if (ms >= 0) return ms;
  } catch {
    // Told below, in words that name the form.
  }
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/bad-duration",
    message: `Cannot read ${JSON.stringify(text)} as a duration: expected a form such as 1h30m, 90s or 500ms`,
  });
}

/** A span rounded to seconds, as Go prints it: `1h2m3s`, `0s`. */
export function formatSeconds(ms: number): string {
  return formatGoDuration(BigInt(Math.round(ms / 1000)) * 1_000_000_000n);
}
