import { isKind } from "@talos-ts/base";
import { hasErrno } from "../ffi/errno.ts";
import type { TextFiles } from "../files/text-files.ts";
import { parseMountInfo } from "../mounts/mountinfo.ts";
import { parseCpuInfo } from "./cpuinfo.ts";
import { parseDiskStats } from "./diskstats.ts";
import { parseNetDev } from "./net-dev.ts";
import { parseArguments, parseProcessStat, type ProcessInfo } from "./process-info.ts";
import type { Procfs } from "./procfs.ts";
import { parseLoadAverage, parseMemInfo, parseUptime } from "./small-files.ts";
import { parseSystemStat } from "./stat.ts";

/** Settings of `createProcfs`. */
export interface ProcfsOptions {
  /** Mount point of procfs. @default {"/proc"} */
  readonly root?: string;
  /** @default {4096} */
  readonly pageBytes?: number;
}

/** Processes read at once: enough to hide latency, few enough to leave the thread pool to others. */
const BATCH = 32;

/** Creates a reader of procfs (proc(5)). Sizes that the kernel gives in pages are converted to bytes. */
export function createProcfs(files: TextFiles, { root = "/proc", pageBytes = 4096 }: ProcfsOptions = {}): Procfs {
  const page = BigInt(pageBytes);

  /** Absent (a kernel thread has no executable) or not ours to see is an empty text. */
  const optional = async (text: Promise<string>): Promise<string> => {
    try {
      return await text;
    } catch (err) {
      if (isKind(err, "not-found") || isKind(err, "permission-denied") || isKind(err, "invalid-argument")) return "";
      throw err;
    }
  };

  async function readProcess(pid: number): Promise<ProcessInfo | undefined> {
    const folder = `${root}/${String(pid)}`;
    try {
      const stat = parseProcessStat(await files.read(`${folder}/stat`));
      const [commandLine, executable, label] = await Promise.all([
        optional(files.read(`${folder}/cmdline`)),
        optional(files.readLink(`${folder}/exe`)),
        optional(files.read(`${folder}/attr/current`)),
      ]);
      return {
        ...stat,
        residentBytes: stat.residentPages * page,
        executable,
        arguments: parseArguments(commandLine),
        label: label.replace(/[\0\n]+$/, ""),
      };
    } catch (err) {
      if (hasErrno(err, "ENOENT") || hasErrno(err, "ESRCH")) return undefined;
      throw err;
    }
  }

  return {
    process: readProcess,
    async processes() {
      const pids = (await files.list(root)).filter((name) => /^\d+$/.test(name)).map(Number);
      const found: ProcessInfo[] = [];
      for (let start = 0; start < pids.length; start += BATCH) {
        const batch = await Promise.all(pids.slice(start, start + BATCH).map(readProcess));
        found.push(...batch.filter((info) => info !== undefined));
      }
      return found;
    },
    memory: async () => parseMemInfo(await files.read(`${root}/meminfo`)),
    stat: async () => parseSystemStat(await files.read(`${root}/stat`)),
    loadAverage: async () => parseLoadAverage(await files.read(`${root}/loadavg`)),
    cpus: async () => parseCpuInfo(await files.read(`${root}/cpuinfo`)),
    disks: async () => parseDiskStats(await files.read(`${root}/diskstats`)),
    netDevices: async () => parseNetDev(await files.read(`${root}/net/dev`)),
    mounts: async () => parseMountInfo(await files.read(`${root}/self/mountinfo`)),
    uptime: async () => parseUptime(await files.read(`${root}/uptime`)),
    commandLine: async () => (await files.read(`${root}/cmdline`)).trimEnd(),
  };
}
