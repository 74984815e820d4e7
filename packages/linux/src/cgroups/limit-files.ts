import type { CgroupLimits } from "./cgroups.ts";

interface LimitFile {
  readonly controller: string;
  readonly file: string;
  readonly format: (value: bigint | string) => string;
}

type LimitTable = Readonly<Partial<Record<keyof CgroupLimits, LimitFile>>>;

const plain = String;
const minusOne = (value: bigint | string): string => (value === "max" ? "-1" : String(value));
/** cpu.weight 100 is cpu.shares 1024. */
const shares = (weight: bigint | string): string => String((BigInt(weight) * 1024n) / 100n);

/** Files and controllers that take a limit; what is missing has no counterpart in that version. */
export const limitFiles: Readonly<Record<1 | 2, LimitTable>> = {
  1: {
    memoryMaxBytes: { controller: "memory", file: "memory.limit_in_bytes", format: minusOne },
    memoryLowBytes: { controller: "memory", file: "memory.soft_limit_in_bytes", format: minusOne },
    cpuWeight: { controller: "cpu", file: "cpu.shares", format: shares },
    cpuQuotaMicroseconds: { controller: "cpu", file: "cpu.cfs_quota_us", format: minusOne },
    maxProcesses: { controller: "pids", file: "pids.max", format: plain },
    cpus: { controller: "cpuset", file: "cpuset.cpus", format: plain },
  },
  2: {
    memoryMinBytes: { controller: "memory", file: "memory.min", format: plain },
    memoryLowBytes: { controller: "memory", file: "memory.low", format: plain },
    memoryHighBytes: { controller: "memory", file: "memory.high", format: plain },
    memoryMaxBytes: { controller: "memory", file: "memory.max", format: plain },
    swapMaxBytes: { controller: "memory", file: "memory.swap.max", format: plain },
    cpuWeight: { controller: "cpu", file: "cpu.weight", format: plain },
    cpuQuotaMicroseconds: { controller: "cpu", file: "cpu.max", format: (value) => `${String(value)} 100000` },
    maxProcesses: { controller: "pids", file: "pids.max", format: plain },
    cpus: { controller: "cpuset", file: "cpuset.cpus", format: plain },
  },
};

interface StatFile {
  readonly controller: string;
  readonly file: string;
  /** Reads the number out of the file's text. */
  readonly parse: (text: string) => bigint | undefined;
}

const number = (text: string): bigint | undefined => (/^\d+\s*$/.test(text) ? BigInt(text.trim()) : undefined);
const usage = (text: string): bigint | undefined => {
  const match = /^usage_usec (\d+)$/m.exec(text);
  return match?.[1] === undefined ? undefined : BigInt(match[1]);
};
const nanoseconds = (text: string): bigint | undefined => {
  const value = number(text);
  return value === undefined ? undefined : value / 1000n;
};

export const statFiles: Readonly<
  Record<1 | 2, Readonly<Record<"memoryBytes" | "cpuMicroseconds" | "processes", StatFile>>>
> = {
  1: {
    memoryBytes: { controller: "memory", file: "memory.usage_in_bytes", parse: number },
    cpuMicroseconds: { controller: "cpuacct", file: "cpuacct.usage", parse: nanoseconds },
    processes: { controller: "pids", file: "pids.current", parse: number },
  },
  2: {
    memoryBytes: { controller: "memory", file: "memory.current", parse: number },
    cpuMicroseconds: { controller: "", file: "cpu.stat", parse: usage },
    processes: { controller: "pids", file: "pids.current", parse: number },
  },
};
