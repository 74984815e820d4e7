import { formatTable } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { MemInfo } from "@talos-ts/proto/machine/system";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";
import { flag } from "../values.ts";

export const command: CommandDefinition = {
  options: [{ flags: "-v, --verbose", description: "show everything the kernel tells about memory" }],
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
    if (flag(invocation, "verbose")) {
      for (const [node, memory] of known) io.out(`NODE: ${node}\n${everything(memory)}`);
      return;
    }
    io.out(
      formatTable([
        ["NODE", "TOTAL", "USED", "FREE", "SHARED", "BUFFERS", "CACHE", "AVAILABLE"],
        ...known.map(([node, memory]) => brief(node, memory)),
      ]),
    );
  },
};

/** Megabytes. */
function brief(node: string, { memtotal, memfree, cached, buffers, shmem, memavailable }: MemInfo): string[] {
  const used = memtotal - memfree - cached - buffers;
  const values = [memtotal, used, memfree, shmem, buffers, cached, memavailable];
  return [node, ...values.map((value) => String(value / 1024n))];
}

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

function everything(memory: MemInfo): string {
  const fields = Object.keys(names) as (keyof typeof names)[];
  return fields
    .map((field) => `${names[field]}: ${memory[field]}${names[field].startsWith("HugePages") ? "" : " kB"}\n`)
    .join("");
}
