/** A port or a range of ports, kept as `80` or `80-90`. */

import type { ScalarType } from "../../schema/type.ts";

const maxPort = 65_535;

export const portRange: ScalarType<string> = {
  is: "scalar",
  expected: "a port or a range such as 80-90",
  parse: ({ text, value }) => {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxPort) return String(value);
    const [, low, high] = /^(\d+)-(\d+)$/.exec(text) ?? [];
    if (low === undefined || high === undefined || Number(low) > maxPort || Number(high) > maxPort) {
      throw new Error(`invalid port range: ${JSON.stringify(text)}`);
    }
    return Number(low) === Number(high) ? String(Number(low)) : `${Number(low)}-${Number(high)}`;
  },
  print: (value) => (value.includes("-") ? value : Number(value)),
  zero: 0,
  json: { oneOf: [{ type: "integer" }, { type: "string" }] },
};

/** First and last port of a canonical range. */
function portBounds(range: string): readonly [low: number, high: number] {
  const [low = 0, high = low] = range.split("-").map(Number);
  return [low, high];
}

/** Ranges must run upwards and not overlap. */
export function portRangesProblem(ranges: readonly string[]): string | undefined {
  const sorted = ranges.toSorted((left, right) => portBounds(left)[0] - portBounds(right)[0]);
  for (const [index, range] of sorted.entries()) {
    const [low, high] = portBounds(range);
    const previous = sorted[index - 1];
    if (low > high) return `invalid port range: ${low}-${high}`;
    if (previous !== undefined && low <= portBounds(previous)[1]) {
      return `invalid port range: ${low}-${high}, overlaps with ${portBounds(previous).join("-")}`;
    }
  }
  return undefined;
}
