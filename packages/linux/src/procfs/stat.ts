import { TICKS_PER_SECOND } from "./process-info.ts";

/** Seconds spent per kind of work. */
export interface CpuStat {
  readonly user: number;
  readonly nice: number;
  readonly system: number;
  readonly idle: number;
  readonly iowait: number;
  readonly irq: number;
  readonly softIrq: number;
  readonly steal: number;
  readonly guest: number;
  readonly guestNice: number;
}

const softIrqNames = [
  "hi",
  "timer",
  "netTx",
  "netRx",
  "block",
  "blockIoPoll",
  "tasklet",
  "sched",
  "hrtimer",
  "rcu",
] as const;

/** Number of soft interrupts by type (`/proc/stat`, line `softirq`). */
export type SoftIrqStat = Readonly<Record<(typeof softIrqNames)[number], bigint>>;

/** Counters of the whole system (proc_stat(5)). */
export interface SystemStat {
  /** Seconds since the epoch. */
  readonly bootTime: bigint;
  readonly cpuTotal: CpuStat;
  readonly cpus: readonly CpuStat[];
  readonly irqTotal: bigint;
  readonly irqs: readonly bigint[];
  readonly contextSwitches: bigint;
  readonly processesCreated: bigint;
  readonly processesRunning: bigint;
  readonly processesBlocked: bigint;
  readonly softIrqTotal: bigint;
  readonly softIrq: SoftIrqStat;
}

function cpuStat(values: readonly string[]): CpuStat {
  const at = (index: number): number => Number(values[index] ?? 0) / TICKS_PER_SECOND;
  return {
    user: at(0),
    nice: at(1),
    system: at(2),
    idle: at(3),
    iowait: at(4),
    irq: at(5),
    softIrq: at(6),
    steal: at(7),
    guest: at(8),
    guestNice: at(9),
  };
}

const integer = (text: string | undefined): bigint => (text !== undefined && /^\d+$/.test(text) ? BigInt(text) : 0n);

/** /proc/stat; what a kernel does not report is zero. */
export function parseSystemStat(text: string): SystemStat {
  const rows = new Map(
    text.split("\n").map((line) => {
      const [name = "", ...values] = line.trim().split(/\s+/);
      return [name, values] as const;
    }),
  );
  const one = (name: string): bigint => integer(rows.get(name)?.[0]);
  const irqs = rows.get("intr") ?? [];
  const softIrqs = rows.get("softirq") ?? [];
  return {
    bootTime: one("btime"),
    cpuTotal: cpuStat(rows.get("cpu") ?? []),
    cpus: [...rows].filter(([name]) => /^cpu\d+$/.test(name)).map(([, values]) => cpuStat(values)),
    irqTotal: integer(irqs[0]),
    irqs: irqs.slice(1).map(integer),
    contextSwitches: one("ctxt"),
    processesCreated: one("processes"),
    processesRunning: one("procs_running"),
    processesBlocked: one("procs_blocked"),
    softIrqTotal: integer(softIrqs[0]),
    softIrq: Object.fromEntries(
      softIrqNames.map((name, index) => [name, integer(softIrqs[index + 1])]),
    ) as unknown as SoftIrqStat,
  };
}
