import { malformed } from "../ffi/errno.ts";

/** The kernel's tick and page as user space sees them on every architecture Node runs on Linux with. */
export const TICKS_PER_SECOND = 100;

/** Fields of `/proc/<pid>/stat` (proc_pid_stat(5)). */
export interface ProcessStat {
  readonly pid: number;
  /** Name of the executable, cut to 15 characters. */
  readonly command: string;
  /** One letter: R running, S sleeping, D waiting for a device, Z zombie, T stopped, I idle. */
  readonly state: string;
  readonly parentPid: number;
  readonly cpuSeconds: number;
  readonly threads: number;
  readonly startTicks: bigint;
  readonly virtualBytes: bigint;
  readonly residentPages: bigint;
}

/** A process with its command line. */
export interface ProcessInfo extends ProcessStat {
  readonly residentBytes: bigint;
  /** Path of the executable; empty for kernel threads and where it may not be seen. */
  readonly executable: string;
  readonly arguments: readonly string[];
  /** Security label, empty without one. */
  readonly label: string;
}

/** @throws OsError `procfs/malformed` */
export function parseProcessStat(text: string): ProcessStat {
  // The name is in parentheses and may hold spaces and parentheses itself.
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  const fields = text
    .slice(close + 1)
    .trim()
    .split(" ");
  const at = (field: number): string => fields[field - 3] ?? "";
  if (open < 1 || close < open || fields.length < 22 || !fields.slice(1, 22).every((field) => /^-?\d+$/.test(field))) {
    throw malformed("procfs", "the stat of a process", { text });
  }
  return {
    pid: Number(text.slice(0, open)),
    command: text.slice(open + 1, close),
    state: at(3),
    parentPid: Number(at(4)),
    cpuSeconds: (Number(at(14)) + Number(at(15))) / TICKS_PER_SECOND,
    threads: Number(at(20)),
    startTicks: BigInt(at(22)),
    virtualBytes: BigInt(at(23)),
    residentPages: BigInt(at(24)),
  };
}

/** Parses `/proc/<pid>/cmdline`: arguments that end with a zero byte. A process that renamed itself leaves zero bytes behind. */
export function parseArguments(text: string): readonly string[] {
  const end = text.search(/\0*$/);
  return end === 0 ? [] : text.slice(0, end).split("\0");
}
