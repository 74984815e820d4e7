import { MachineService } from "@talos-ts/proto/machine/machine";
import type { MemInfo } from "@talos-ts/proto/machine/system";
import type { CommandDefinition } from "../command.ts";
import { printRecords, recordFormatOption, type Column } from "../output/records.ts";
import { openSession } from "../session/session.ts";
import { flag, textOption } from "../values.ts";

export const command: CommandDefinition = {
  options: [
    { flags: "-v, --verbose", description: "show everything the kernel tells about memory" },
    recordFormatOption,
  ],
  examples: ["talosctl memory", "talosctl memory -o json --nodes 10.5.0.2"],
  async run(invocation) {
    const { io } = invocation;
    await using session = await openSession(invocation);
    const messages = await session.answers(
      "getting memory stats",
      session.all(MachineService).memory({}, { signal: invocation.signal }),
    );
    const known = messages.flatMap((message) =>
      message.meminfo === undefined ? [] : [[session.nodeOf(message), message.meminfo] as const],
    );
    if (flag(invocation, "verbose") && textOption(invocation, "output") === "table") {
      for (const [node, memory] of known) io.out(`NODE: ${node}\n${everything(memory)}`);
      return;
    }
    const records = known.map(([node, memory]) => ({ node, memory: inKilobytes(memory) }));
    await printRecords(invocation, columns, records);
  },
};

interface MemoryRecord {
  readonly node: string;
  /** In kB, but for the numbers of huge pages. */
  readonly memory: Readonly<Record<keyof typeof names, number>>;
}

const megabytes =
  (kilobytes: (memory: MemoryRecord["memory"]) => number) =>
  ({ memory }: MemoryRecord): string =>
    String(Math.trunc(kilobytes(memory) / 1024));

const columns: readonly Column<MemoryRecord>[] = [
  ["NODE", ({ node }) => node],
  ["TOTAL", megabytes(({ memtotal }) => memtotal)],
  ["USED", megabytes(({ memtotal, memfree, cached, buffers }) => memtotal - memfree - cached - buffers)],
  ["FREE", megabytes(({ memfree }) => memfree)],
  ["SHARED", megabytes(({ shmem }) => shmem)],
  ["BUFFERS", megabytes(({ buffers }) => buffers)],
  ["CACHE", megabytes(({ cached }) => cached)],
  ["AVAILABLE", megabytes(({ memavailable }) => memavailable)],
];

/** Fields in order, by the name that people know. */
const names = {
  memtotal: "MemTotal",
  memfree: "MemFree",
  memavailable: "MemAvailable",
  buffers: "Buffers",
  cached: "Cached",
  swapcached: "SwapCached",
  active: "Active",
  inactive: "Inactive",
  activeanon: "ActiveAnon",
  inactiveanon: "InactiveAnon",
  activefile: "ActiveFile",
  inactivefile: "InactiveFile",
  unevictable: "Unevictable",
  mlocked: "Mlocked",
  swaptotal: "SwapTotal",
  swapfree: "SwapFree",
  dirty: "Dirty",
  writeback: "Writeback",
  anonpages: "AnonPages",
  mapped: "Mapped",
  shmem: "Shmem",
  slab: "Slab",
  sreclaimable: "SReclaimable",
  sunreclaim: "SUnreclaim",
  kernelstack: "KernelStack",
  pagetables: "PageTables",
  nfsunstable: "NFSUnstable",
  bounce: "Bounce",
  writebacktmp: "WritebackTmp",
  commitlimit: "CommitLimit",
  committedas: "CommittedAS",
  vmalloctotal: "VmallocTotal",
  vmallocused: "VmallocUsed",
  vmallocchunk: "VmallocChunk",
  hardwarecorrupted: "HardwareCorrupted",
  anonhugepages: "AnonHugePages",
  shmemhugepages: "ShmemHugePages",
  shmempmdmapped: "ShmemPmdMapped",
  cmatotal: "CmaTotal",
  cmafree: "CmaFree",
  hugepagestotal: "HugePagesTotal",
  hugepagesfree: "HugePagesFree",
  hugepagesrsvd: "HugePagesRsvd",
  hugepagessurp: "HugePagesSurp",
  hugepagesize: "Hugepagesize",
  directmap4k: "DirectMap4k",
  directmap2m: "DirectMap2M",
  directmap1g: "DirectMap1G",
} as const satisfies Partial<Record<keyof MemInfo, string>>;

const fields = Object.keys(names) as (keyof typeof names)[];

function inKilobytes(memory: MemInfo): MemoryRecord["memory"] {
  return Object.fromEntries(fields.map((field) => [field, Number(memory[field])])) as MemoryRecord["memory"];
}

function everything(memory: MemInfo): string {
  return fields
    .map((field) => `${names[field]}: ${memory[field]}${names[field].startsWith("HugePages") ? "" : " kB"}\n`)
    .join("");
}
