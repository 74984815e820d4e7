import { templateError } from "../template/template-error.ts";
import type { TemplateObject, TemplateValue } from "../template/values.ts";
import type { CgroupNames, CgroupRow } from "./presets.ts";
import { cgroupNumber } from "./template-value.ts";

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");
const sorted = <T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> =>
  new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Elements by name; names that are not there give what Go has for nothing. */
const lookup = (elements: ReadonlyMap<string, TemplateValue>, absent: TemplateValue): TemplateObject => ({
  elements,
  member: (name) => (elements.has(name) ? elements.get(name) : absent),
});

const flat = (pairs: readonly (readonly [string, string | undefined])[]): TemplateObject =>
  lookup(sorted(pairs.map(([name, text]) => [name, cgroupNumber(text)] as const)), cgroupNumber(undefined));

/** How the text of a file becomes a value. */
const readers = {
  value: (text: string) => cgroupNumber(words(text)[0]),
  list: (text: string) => words(text).map(cgroupNumber),
  raw: (text: string) => text.trim(),
  flat: (text: string) => flat(lines(text).map((line) => [words(line)[0] ?? "", words(line)[1]] as const)),
  nested: (text: string, { devices }: CgroupNames) =>
    lookup(
      sorted<TemplateValue>(
        lines(text).map((line) => {
          const [key = "", ...pairs] = words(line);
          const values = pairs.map((pair) => pair.split("=")).map(([name = "", value]) => [name, value] as const);
          return [devices.get(key) ?? key, flat(values)] as const;
        }),
      ),
      flat([]),
    ),
} satisfies Readonly<Record<string, (text: string, names: CgroupNames) => TemplateValue>>;

/** Fields by the names that schemas of Talos use: how they are read, and from which file. */
const fields: Readonly<Record<string, readonly [reader: keyof typeof readers, file: string]>> = {
  CgroupEvents: ["flat", "cgroup.events"],
  CgroupFreeze: ["value", "cgroup.freeze"],
  CgroupProcs: ["list", "cgroup.procs"],
  CgroupStat: ["flat", "cgroup.stat"],
  CgroupThreads: ["list", "cgroup.threads"],
  CPUIdle: ["value", "cpu.idle"],
  CPUMax: ["list", "cpu.max"],
  CPUMaxBurst: ["value", "cpu.max.burst"],
  CPUPressure: ["nested", "cpu.pressure"],
  CPUStat: ["flat", "cpu.stat"],
  CPUStatLocal: ["flat", "cpu.stat.local"],
  CPUWeight: ["value", "cpu.weight"],
  CPUWeightNice: ["value", "cpu.weight.nice"],
  CPUSetCPUs: ["raw", "cpuset.cpus"],
  CPUSetCPUsEffective: ["raw", "cpuset.cpus.effective"],
  CPUSetMems: ["raw", "cpuset.mems"],
  CPUSetMemsEffective: ["raw", "cpuset.mems.effective"],
  IOBFQWeight: ["flat", "io.bfq.weight"],
  IOMax: ["nested", "io.max"],
  IOPressure: ["nested", "io.pressure"],
  IOStat: ["nested", "io.stat"],
  MemoryCurrent: ["value", "memory.current"],
  MemoryEvents: ["flat", "memory.events"],
  MemoryEventsLocal: ["flat", "memory.events.local"],
  MemoryHigh: ["value", "memory.high"],
  MemoryLow: ["value", "memory.low"],
  MemoryMax: ["value", "memory.max"],
  MemoryMin: ["value", "memory.min"],
  MemoryNUMAStat: ["nested", "memory.numa_stat"],
  MemoryOOMGroup: ["value", "memory.oom.group"],
  MemoryPeak: ["value", "memory.peak"],
  MemoryPressure: ["nested", "memory.pressure"],
  MemoryStat: ["flat", "memory.stat"],
  MemorySwapCurrent: ["value", "memory.swap.current"],
  MemorySwapEvents: ["flat", "memory.swap.events"],
  MemorySwapHigh: ["value", "memory.swap.high"],
  MemorySwapMax: ["value", "memory.swap.max"],
  MemorySwapPeak: ["value", "memory.swap.peak"],
  MemoryZswapCurrent: ["value", "memory.zswap.current"],
  MemoryZswapMax: ["value", "memory.zswap.max"],
  MemoryZswapWriteback: ["value", "memory.zswap.writeback"],
  PidsCurrent: ["value", "pids.current"],
  PidsEvents: ["flat", "pids.events"],
  PidsMax: ["value", "pids.max"],
  PidsPeak: ["value", "pids.peak"],
};

/** Gives a control group to templates. */
export function templateData(row: CgroupRow): TemplateObject {
  const { cgroup, parent, processes } = row;
  return {
    member(name) {
      if (name === "Parent")
        return parent === undefined ? undefined : templateData({ ...row, cgroup: parent, parent: undefined });
      if (name === "CgroupProcsResolved")
        return words(cgroup.files.get("cgroup.procs") ?? "").map((pid) => processes.get(pid) ?? pid);
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field === undefined)
        throw templateError(
          `can't evaluate field ${name}, expected one of Parent, CgroupProcsResolved, ${Object.keys(fields).join(", ")}`,
        );
      const [reader, file] = field;
      return readers[reader](cgroup.files.get(file) ?? "", row);
    },
  };
}
