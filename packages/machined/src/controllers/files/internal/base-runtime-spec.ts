/** JSON of any shape. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const capabilities = [
  "CAP_CHOWN",
  "CAP_DAC_OVERRIDE",
  "CAP_FSETID",
  "CAP_FOWNER",
  "CAP_MKNOD",
  "CAP_NET_RAW",
  "CAP_SETGID",
  "CAP_SETUID",
  "CAP_SETFCAP",
  "CAP_SETPCAP",
  "CAP_NET_BIND_SERVICE",
  "CAP_SYS_CHROOT",
  "CAP_KILL",
  "CAP_AUDIT_WRITE",
];

function mount(destination: string, type: string, source: string, ...options: readonly string[]): Json {
  return { destination, type, source, options };
}

/** Specification that containerd starts from when it makes that of a container, without limits on open files. */
export const baseRuntimeSpec: Json = {
  ociVersion: "1.1.0",
  process: {
    user: { uid: 0, gid: 0 },
    cwd: "/",
    capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
    noNewPrivileges: true,
  },
  root: { path: "rootfs" },
  mounts: [
    mount("/proc", "proc", "proc", "nosuid", "noexec", "nodev"),
    mount("/dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k"),
    mount("/dev/pts", "devpts", "devpts", "nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"),
    mount("/dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777", "size=65536k"),
    mount("/dev/mqueue", "mqueue", "mqueue", "nosuid", "noexec", "nodev"),
    mount("/sys", "sysfs", "sysfs", "nosuid", "noexec", "nodev", "ro"),
    mount("/run", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k"),
  ],
  linux: {
    resources: { devices: [{ allow: false, access: "rwm" }] },
    cgroupsPath: "/k8s.io",
    namespaces: [{ type: "pid" }, { type: "ipc" }, { type: "uts" }, { type: "mount" }, { type: "network" }],
    maskedPaths: [
      "/proc/acpi",
      "/proc/asound",
      "/proc/kcore",
      "/proc/keys",
      "/proc/latency_stats",
      "/proc/timer_list",
      "/proc/timer_stats",
      "/proc/sched_debug",
      "/sys/firmware",
      "/sys/devices/virtual/powercap",
      "/proc/scsi",
    ],
    readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
  },
};

/** Lays changes over JSON: objects are joined, lists grow, everything else is replaced. */
export function mergeJson(below: Json, above: Json): Json {
  if (Array.isArray(below) && Array.isArray(above))
    return [...(below as readonly Json[]), ...(above as readonly Json[])];
  if (!isObject(below) || !isObject(above)) return above;
  const joined = Object.entries(above).map(([key, value]) => {
    const present = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, present === undefined ? value : mergeJson(present, value)] as const;
  });
  return Object.fromEntries([...Object.entries(below), ...joined]);
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
