/** Byte sizes as people write them: `100GB`, `1.5 GiB`, `4096`. */

const units: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  ...powers(1000, (prefix) => [prefix, `${prefix}b`]),
  ...powers(1024, (prefix) => [`${prefix}i`, `${prefix}ib`]),
};

function powers(base: number, names: (prefix: string) => readonly string[]): Record<string, number> {
  return Object.fromEntries(
    ["k", "m", "g", "t", "p", "e"].flatMap((prefix, index) => names(prefix).map((name) => [name, base ** (index + 1)])),
  );
}

/** @throws {Error} when the text is not a size */
export function parseByteSize(text: string): number {
  const [, amount = "", unit = ""] = /^([0-9.,]*)(.*)$/s.exec(text.trim()) ?? [];
  const number = Number(amount.replaceAll(",", ""));
  if (amount === "" || Number.isNaN(number))
    throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(amount)}: invalid syntax`);
  const scale = units[unit.trim().toLowerCase()];
  if (scale === undefined) throw new Error(`unhandled size name: ${unit.trim().toLowerCase()}`);
  const bytes = Math.trunc(number * scale);
  if (bytes > Number.MAX_SAFE_INTEGER) throw new Error(`too large: ${text}`);
  return bytes;
}

const decimalNames = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/** `100 GB` where that is exact, else the number of bytes. */
export function formatByteSize(bytes: number): string | number {
  if (bytes % 1000 !== 0 || bytes === 0) return bytes;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), decimalNames.length - 1);
  const rounded = Math.floor((bytes / 1000 ** power) * 10 + 0.5) / 10;
  const text = `${rounded < 10 ? rounded.toFixed(1) : rounded.toFixed(0)} ${decimalNames[power] ?? "B"}`;
  return parseByteSize(text) === bytes ? text : bytes;
}
