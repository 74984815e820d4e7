const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;

/** Writes a size for people: `512 B`, `8.0 MiB`, `12 GiB`. */
export function binarySize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 10 ? value.toFixed(0) : value.toFixed(1)} ${units[power] ?? "B"}`;
}
