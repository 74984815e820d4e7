/** One processor of /proc/cpuinfo: the fields every architecture shares a name for, and all of them by that name. */
export interface CpuInfo {
  readonly processor: number;
  /** Every field as written, by its name (`vendor_id`, `cpu MHz`, `flags`). */
  readonly fields: ReadonlyMap<string, string>;
}

/** Blocks are separated by empty lines; a block without a processor number describes the machine and is left out. */
export function parseCpuInfo(text: string): readonly CpuInfo[] {
  return text
    .split(/\n\s*\n/)
    .map((block) => {
      const fields = new Map(
        block
          .split("\n")
          .filter((line) => line.includes(":"))
          .map((line) => {
            const colon = line.indexOf(":");
            return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const;
          }),
      );
      return { processor: Number(fields.get("processor") ?? Number.NaN), fields };
    })
    .filter((cpu) => Number.isInteger(cpu.processor));
}
