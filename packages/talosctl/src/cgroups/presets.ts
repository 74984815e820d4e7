import type { Cgroup } from "./cgroup-tree.ts";
import {
  parseFlat,
  parseNested,
  parseValue,
  show,
  showBytes,
  showFixed,
  showMicroseconds,
  showShare,
  type Value,
} from "./value.ts";

/** Names that a node knows for the numbers in files of control groups. */
export interface CgroupNames {
  /** Names of processes by id. */
  readonly processes: ReadonlyMap<string, string>;
  /** Names of block devices by `major:minor`. */
  readonly devices: ReadonlyMap<string, string>;
}

export interface CgroupRow extends CgroupNames {
  readonly cgroup: Cgroup;
  readonly parent: Cgroup | undefined;
}

export type CgroupColumn = readonly [heading: string, text: (row: CgroupRow) => string];

const value = ({ files }: Cgroup, name: string): Value => parseValue(files.get(name));
const stat = ({ files }: Cgroup, file: string, name: string): Value => parseFlat(files.get(file)).get(name);
const raw = ({ files }: Cgroup, name: string): string => files.get(name)?.trim() ?? "";
const lines = ({ files }: Cgroup, name: string): readonly string[] =>
  (files.get(name) ?? "").split("\n").filter((line) => line !== "");

const bytes = (heading: string, file: string): CgroupColumn => [
  heading,
  ({ cgroup }) => showBytes(value(cgroup, file)).padStart(8),
];
const number = (heading: string, file: string, width: number): CgroupColumn => [
  heading,
  ({ cgroup }) => show(value(cgroup, file)).padStart(width),
];
const text = (heading: string, file: string): CgroupColumn => [heading, ({ cgroup }) => raw(cgroup, file).padStart(12)];
const time = (heading: string, name: string): CgroupColumn => [
  heading,
  ({ cgroup }) => showMicroseconds(stat(cgroup, "cpu.stat", name)).padStart(12),
];
const shareOfParent = (heading: string, name: string): CgroupColumn => [
  heading,
  ({ cgroup, parent }) =>
    parent === undefined
      ? "-"
      : `${showShare(stat(cgroup, "cpu.stat", name), stat(parent, "cpu.stat", name)).padStart(6)}%`,
];
const pressure = (heading: string, file: string, kind: "some" | "full", name: string): CgroupColumn => [
  heading,
  ({ cgroup }) => {
    const found = parseNested(cgroup.files.get(file)).get(kind)?.get(name);
    return name === "total" ? showMicroseconds(found).padStart(12) : showFixed(found).padStart(6);
  },
];
const share = (heading: string, part: string, whole: string): CgroupColumn => [
  heading,
  ({ cgroup }) => `${showShare(value(cgroup, part), value(cgroup, whole)).padStart(6)}%`,
];
const perDevice = (heading: string, format: (values: ReadonlyMap<string, Value>) => string): CgroupColumn => [
  heading,
  ({ cgroup, devices }) =>
    [...parseNested(cgroup.files.get("io.stat"))]
      .filter(([, values]) => values.size > 0)
      .map(([device, values]) => `${devices.get(device) ?? device}: ${format(values)}`)
      .join(" "),
];

/** Longest list of process names in a row. */
const namesLength = 50;

/** Columns by preset, with the headings of upstream. */
export const cgroupPresets: Readonly<Record<string, readonly CgroupColumn[]>> = {
  cpu: [
    number("CpuWeight", "cpu.weight", 6),
    number("CpuNice", "cpu.weight.nice", 6),
    [
      "CpuMax",
      ({ cgroup }) =>
        `[${raw(cgroup, "cpu.max")
          .split(" ")
          .filter((word) => word !== "")
          .map((word) => word.padStart(6))
          .join(" ")}]`,
    ],
    time("CpuUser", "user_usec"),
    shareOfParent("User/%", "user_usec"),
    time("CpuSystem", "system_usec"),
    shareOfParent("System/%", "system_usec"),
    time("Throttled", "throttled_usec"),
  ],
  cpuset: [
    text("CpuSet", "cpuset.cpus"),
    text("CpuSet(Eff)", "cpuset.cpus.effective"),
    text("Mems", "cpuset.mems"),
    text("Mems(Eff)", "cpuset.mems.effective"),
  ],
  io: [
    perDevice(
      "Bytes Read/Written",
      (values) => `${showBytes(values.get("rbytes"))}/${showBytes(values.get("wbytes"))}`,
    ),
    perDevice("ios Read/Write", (values) => `${show(values.get("rios"))}/${show(values.get("wios"))}`),
    pressure("PressAvg10", "io.pressure", "some", "avg10"),
    pressure("PressAvg60", "io.pressure", "some", "avg60"),
    pressure("PressTotal", "io.pressure", "some", "total"),
  ],
  memory: [
    bytes("MemCurrent", "memory.current"),
    bytes("MemPeak", "memory.peak"),
    bytes("MemLow", "memory.low"),
    share("Peak/Low", "memory.peak", "memory.low"),
    bytes("MemHigh", "memory.high"),
    bytes("MemMin", "memory.min"),
    share("Current/Min", "memory.current", "memory.min"),
    bytes("MemMax", "memory.max"),
  ],
  process: [
    number("PidsCurrent", "pids.current", 8),
    number("PidsPeak", "pids.peak", 8),
    number("PidsMax", "pids.max", 8),
    ["Procs", ({ cgroup }) => String(lines(cgroup, "cgroup.procs").length).padStart(7)],
    ["Threads", ({ cgroup }) => String(lines(cgroup, "cgroup.threads").length).padStart(7)],
    [
      "Processes",
      ({ cgroup, parent, processes }) =>
        parent === undefined
          ? ""
          : `[${lines(cgroup, "cgroup.procs")
              .map((pid) => processes.get(pid) ?? pid)
              .join(" ")}]`.slice(0, namesLength),
    ],
  ],
  psi: [
    bytes("MemCurrent", "memory.current"),
    pressure("MemPsiSome10", "memory.pressure", "some", "avg10"),
    pressure("MemPsi10", "memory.pressure", "full", "avg10"),
    pressure("CpuPsi10", "cpu.pressure", "full", "avg10"),
    pressure("IoPsi10", "io.pressure", "full", "avg10"),
  ],
  swap: [
    bytes("SwapCurrent", "memory.swap.current"),
    bytes("SwapPeak", "memory.swap.peak"),
    bytes("SwapHigh", "memory.swap.high"),
    bytes("SwapMax", "memory.swap.max"),
    bytes("ZswapCurrent", "memory.zswap.current"),
    bytes("ZswapMax", "memory.zswap.max"),
    number("ZswapWriteback", "memory.zswap.writeback", 0),
  ],
};
