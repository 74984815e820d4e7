import { OsError } from "@talos-ts/base";

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of a span as in `1h30m`, `90s` or `500ms`.
 *
 * @throws `cli/bad-duration`
 */
export function parseDuration(text: string): number {
  if (text === "0") return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) {
    throw new OsError({
      kind: "invalid-argument",
      code: "cli/bad-duration",
      message: `Cannot read ${JSON.stringify(text)} as a duration: expected a form such as 1h30m, 90s or 500ms`,
    });
  }
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
    (sum, [, amount = "0", unit = "s"]) => sum + Number(amount) * (unitMs[unit] ?? 0),
    0,
  );
}

/** A span rounded to seconds, as Go prints it: `1h2m3s`, `0s`. */
export function formatSeconds(ms: number): string {
  const total = Math.round(Math.abs(ms) / 1000);
  const sign = ms < 0 && total > 0 ? "-" : "";
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (total < 60) return `${sign}${seconds}s`;
  return `${sign}${hours > 0 ? `${hours}h` : ""}${minutes}m${seconds}s`;
}
