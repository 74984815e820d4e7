/** Durations as Go writes them: `1h30m`, `500ms`, `1.5s`. */

const unitNanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

const maxNanoseconds = 2n ** 63n - 1n;

/**
 * @returns the duration in nanoseconds
 * @throws {Error} when the text is not a Go duration or does not fit 64 bits
 */
export function parseGoDuration(text: string): bigint {
  const [, sign = "", body = ""] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (body === "0") return 0n;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) {
    throw new Error(`time: invalid duration ${JSON.stringify(text)}`);
  }
  let total = 0n;
  for (const [, amount = "", unit = ""] of body.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const [whole = "", fraction = ""] = amount.split(".");
    const scale = unitNanoseconds[unit] ?? 0;
    total += BigInt(whole || "0") * BigInt(scale) + BigInt(Math.trunc(Number(`0.${fraction || "0"}`) * scale + 1e-6));
  }
  if (total > maxNanoseconds) throw new Error(`time: invalid duration ${JSON.stringify(text)}`);
  return sign === "-" ? -total : total;
}

/** The canonical text, as Go prints it. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const total = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  for (const [unit, size] of [
    ["ns", 1n],
    ["µs", 1_000n],
    ["ms", 1_000_000n],
  ] as const) {
    if (total < size * 1000n) return `${sign}${decimal(total, size)}${unit}`;
  }
  const minutes = total / 60_000_000_000n;
  const seconds = `${decimal(total % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, "0")
    .replace(/0+$/, "");
  return fraction === "" || unit === 1n ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/** Milliseconds, with fractions down to a microsecond. */
export function goDurationMs(text: string): number {
  return Number(parseGoDuration(text) / 1000n) / 1000;
}
