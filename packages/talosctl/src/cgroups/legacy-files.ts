type Files = Map<string, string>;

/** Version 1 writes the largest multiple of a page that a signed number holds for "no limit". */
const unlimited = 2n ** 63n - 65_536n;

const limit = (text: string): string => (BigInt(text.trim()) >= unlimited ? "max\n" : text);

/** Files of version 2 by name, and how to make their text of the files of version 1. `undefined` where there is nothing to make it of. */
const conversions: Readonly<Record<string, (files: Files) => string | undefined>> = {
  "memory.current": (files) => files.get("memory.usage_in_bytes"),
  "memory.peak": (files) => files.get("memory.max_usage_in_bytes"),
  "memory.max": (files) => convert(files, "memory.limit_in_bytes", limit),
  "memory.swap.current": (files) => /^total_swap (\d+)$/m.exec(files.get("memory.stat") ?? "")?.[1],
  "cpu.weight": (files) => convert(files, "cpu.shares", weight),
  "cpu.max": (files) =>
    convert(
      files,
      "cpu.cfs_quota_us",
      (quota) => `${quota.trim() === "-1" ? "max" : quota.trim()} ${files.get("cpu.cfs_period_us") ?? ""}`,
    ),
  "cpu.stat": cpuStat,
  "cpuset.cpus.effective": (files) => files.get("cpuset.effective_cpus"),
  "cpuset.mems.effective": (files) => files.get("cpuset.effective_mems"),
  "io.stat": ioStat,
  "cgroup.threads": (files) => files.get("tasks"),
};

/** Adds the files of version 2 that those of version 1 have the facts for. */
export function toUnifiedFiles(files: Files): void {
  const made = Object.entries(conversions).map(([name, make]) => [name, make(files)] as const);
  for (const [name, text] of made) if (text !== undefined) files.set(name, text);
}

function convert(files: Files, name: string, use: (text: string) => string): string | undefined {
  const text = files.get(name);
  return text === undefined || text.trim() === "" ? undefined : use(text);
}

/** Weight 1…10000 of shares 2…262144, as container runtimes convert them. */
function weight(shares: string): string {
  return String(1 + Math.floor(((Number(shares) - 2) * 9999) / 262_142));
}

function cpuStat(files: Files): string | undefined {
  const throttled = /^throttled_time (\d+)$/m.exec(files.get("cpu.stat") ?? "")?.[1];
  const nanoseconds: readonly (readonly [name: string, value: string | undefined])[] = [
    ["usage_usec", files.get("cpuacct.usage")],
    ["user_usec", files.get("cpuacct.usage_user")],
    ["system_usec", files.get("cpuacct.usage_sys")],
    ["throttled_usec", throttled],
  ];
  const lines = nanoseconds.flatMap(([name, value]) =>
    value === undefined || value.trim() === "" ? [] : [`${name} ${String(BigInt(value.trim()) / 1000n)}`],
  );
  return lines.length === 0 ? undefined : lines.join("\n");
}

const ioNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "blkio.throttle.io_service_bytes_recursive": { Read: "rbytes", Write: "wbytes" },
  "blkio.throttle.io_serviced_recursive": { Read: "rios", Write: "wios" },
};

function ioStat(files: Files): string | undefined {
  const devices = new Map<string, string[]>();
  for (const [name, words] of Object.entries(ioNames)) {
    for (const [, device = "", kind = "", value = ""] of (files.get(name) ?? "").matchAll(
      /^(\d+:\d+) (\w+) (\d+)$/gm,
    )) {
      const word = words[kind];
      if (word !== undefined) devices.set(device, [...(devices.get(device) ?? []), `${word}=${value}`]);
    }
  }
  return devices.size === 0
    ? undefined
    : [...devices].map(([device, values]) => `${device} ${values.join(" ")}`).join("\n");
}
