import { humanBytes } from "../../output/humanize.ts";
import { formatSeconds } from "../../output/go-duration.ts";

const dayMs = 86_400_000;

/** A time span as Talos' dashboard writes it: `3d4h5m6s`, `5m6s`. */
export function spanText(ms: number): string {
  const days = Math.floor(ms / dayMs);
  return days > 0 ? `${String(days)}d${formatSeconds(ms % dayMs)}` : formatSeconds(Math.max(0, ms));
}

/** A share as a percentage; `n/a` when it is not known. */
export const percentText = (share: number | undefined): string =>
  share === undefined ? "n/a" : `${(share * 100).toFixed(1)}%`;

export const bytesText = (bytes: number | undefined): string =>
  bytes === undefined ? "n/a" : humanBytes(Math.round(bytes));

export const rateText = (bytesPerSecond: number | undefined): string =>
  bytesPerSecond === undefined ? "n/a" : `${humanBytes(Math.round(bytesPerSecond))}/s`;

/** A clock rate in MHz or GHz. */
export function frequencyText(mhz: number): string {
  return mhz >= 1000 ? `${String(Math.round(mhz / 10) / 100)}GHz` : `${String(Math.round(mhz))}MHz`;
}
