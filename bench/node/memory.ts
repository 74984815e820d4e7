import { readdir, readFile } from "node:fs/promises";
import type { ClusterPlan, NodePlan } from "@talos-ts/provision";

/** Bytes of a process, as the kernel counts them. */
export interface Memory {
  /** Resident, shared pages counted in full. */
  readonly rss: number;
  /** Resident, shared pages counted in parts. */
  readonly pss: number;
}

export type DaemonName = "machined" | "apid" | "trustd";

/** Command lines and titles of daemons inside of their node. */
const programs: Readonly<Record<DaemonName, RegExp>> = {
  machined: /^\/sbin\/init$|^machined *$/,
  apid: /^\/usr\/bin\/apid$|^apid *$/,
  trustd: /^\/usr\/bin\/trustd$|^trustd *$/,
};

/** Resources that a daemon uses. */
export interface DaemonUse extends Memory {
  readonly name: DaemonName;
  /** Process id on the host. */
  readonly pid: number;
  /** CPU time since its start, in seconds. */
  readonly cpuSeconds: number;
}

export interface NodeMemory {
  /** Those that run, in the order they are started. */
  readonly daemons: readonly DaemonUse[];
  /** All processes of the node. */
  readonly whole: Memory;
}

/** Reads the memory of a node's processes from outside. */
export async function nodeMemory(plan: ClusterPlan, node: NodePlan): Promise<NodeMemory> {
  const group = `${plan.cgroup}/${node.name}`;
  const names = Object.keys(programs) as DaemonName[];
  const found = new Map<DaemonName, Omit<DaemonUse, "name">>();
  let whole: Memory = { rss: 0, pss: 0 };
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    const groups = (await read("cgroup")).split("\n").map((line) => line.split(":").at(2) ?? "");
    if (!groups.some((path) => path === group || path.startsWith(`${group}/`))) continue;
    const memory = parseRollup(await read("smaps_rollup"));
    whole = add(whole, memory);
    const words = (await read("cmdline")).split("\0");
    const name = names.find((each) => words.some((word) => programs[each].test(word)));
    if (name !== undefined) found.set(name, { ...memory, pid: Number(pid), cpuSeconds: parseCpu(await read("stat")) });
  }
  const daemons = names.flatMap((name) => {
    const memory = found.get(name);
    return memory === undefined ? [] : [{ name, ...memory }];
  });
  return { daemons, whole };
}

export function add(left: Memory, right: Memory): Memory {
  return { rss: left.rss + right.rss, pss: left.pss + right.pss };
}

/** Clock ticks per second of `/proc/<pid>/stat`; Linux has the same for all programs. */
const ticksPerSecond = 100;

/** The name in field 2 may have spaces; utime and stime are fields 14 and 15. */
function parseCpu(stat: string): number {
  const fields = stat.replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function parseRollup(text: string): Memory {
  const kibibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0);
  return { rss: kibibytes("Rss") * 1024, pss: kibibytes("Pss") * 1024 };
}
