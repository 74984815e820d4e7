const counters = [
  "readCompleted",
  "readMerged",
  "readSectors",
  "readTimeMs",
  "writeCompleted",
  "writeMerged",
  "writeSectors",
  "writeTimeMs",
  "ioInProgress",
  "ioTimeMs",
  "ioTimeWeightedMs",
  "discardCompleted",
  "discardMerged",
  "discardSectors",
  "discardTimeMs",
  "flushCompleted",
  "flushTimeMs",
] as const;

/** Counters of a block device (`/proc/diskstats`), by the names of the kernel's documentation. */
export type DiskStat = Readonly<Record<(typeof counters)[number], bigint>> & {
  readonly name: string;
  readonly major: number;
  readonly minor: number;
};

/** /proc/diskstats; counters an older kernel does not have are zero. */
export function parseDiskStats(text: string): readonly DiskStat[] {
  return text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length >= 14 && fields.slice(3).every((field) => /^\d+$/.test(field)))
    .map(([major, minor, name = "", ...values]) =>
      Object.assign(
        { name, major: Number(major), minor: Number(minor) },
        Object.fromEntries(counters.map((counter, index) => [counter, BigInt(values[index] ?? 0)])) as Record<
          (typeof counters)[number],
          bigint
        >,
      ),
    );
}
