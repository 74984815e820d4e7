import { formatGoDuration } from "@talos-ts/base";

/** A number of a control group, `max` for no limit, or `undefined` where the file is not there. */
export type Value = number | "max" | undefined;

export function parseValue(text: string | undefined): Value {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return undefined;
  return trimmed === "max" ? "max" : Number(trimmed);
}

/** Reads `name value` lines, as in cpu.stat. */
export function parseFlat(text = ""): ReadonlyMap<string, Value> {
  return new Map(
    text.split("\n").flatMap((line) => {
      const [name = "", value] = line.split(" ");
      return value === undefined ? [] : [[name, parseValue(value)] as const];
    }),
  );
}

/** Reads `key name=value …` lines, as in io.stat and memory.pressure. */
export function parseNested(text = ""): ReadonlyMap<string, ReadonlyMap<string, Value>> {
  return new Map(
    text.split("\n").flatMap((line) => {
      const [key = "", ...pairs] = line.trim().split(/\s+/);
      const values = pairs
        .map((pair) => pair.split("="))
        .map(([name = "", value]) => [name, parseValue(value)] as const);
      return key === "" ? [] : [[key, new Map(values)] as const];
    }),
  );
}

export const show = (value: Value): string => (value === undefined ? "unset" : String(value));

/** Pressure: percent with two digits, as the kernel writes it. */
export const showFixed = (value: Value): string => (typeof value === "number" ? value.toFixed(2) : show(value));

const binaryUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;

/** Bytes in powers of 1024, with one digit behind the point below ten: `512 B`, `2.1 MiB`. */
export function showBytes(value: Value): string {
  if (typeof value !== "number") return show(value);
  if (value < 10) return `${String(value)} B`;
  const power = Math.min(Math.floor(Math.log(value) / Math.log(1024)), binaryUnits.length - 1);
  const scaled = Math.floor((value / 1024 ** power) * 10 + 0.5) / 10;
  return `${scaled < 10 ? scaled.toFixed(1) : scaled.toFixed(0)} ${binaryUnits[power] ?? ""}`;
}

export const showMicroseconds = (value: Value): string =>
  typeof value === "number" ? formatGoDuration(BigInt(Math.round(value)) * 1000n) : show(value);

/** A value as percent of another. A share of "no limit" is nothing, and nothing has no shares. */
export function showShare(part: Value, whole: Value): string {
  if (part === undefined || whole === undefined) return "unset";
  if (whole === "max") return part === "max" ? "100.00" : "0.00";
  if (part === "max" || whole === 0) return "max";
  return ((part / whole) * 100).toFixed(2);
}
