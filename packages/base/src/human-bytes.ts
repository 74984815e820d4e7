const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"] as const;

/** Bytes in powers of a thousand, with one digit behind the point below ten: `512 B`, `2.1 GB`, `82 MB`. */
export function humanBytes(bytes: number | bigint): string {
  const value = Number(bytes);
  if (value < 10) return `${value} B`;
  const power = Math.min(Math.floor(Math.log(value) / Math.log(1000)), units.length - 1);
  const scaled = Math.floor((value / 1000 ** power) * 10 + 0.5) / 10;
  return `${scaled < 10 ? scaled.toFixed(1) : scaled.toFixed(0)} ${units[power]}`;
}
