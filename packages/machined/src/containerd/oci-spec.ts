import type { SeccompProfile } from "./seccomp.ts";

/** The parts of an OCI runtime spec that system containers use. */
export interface OciSpec {
  readonly ociVersion: string;
  readonly process: {
    readonly terminal: boolean;
    readonly user: { readonly uid: number; readonly gid: number };
    readonly args: readonly string[];
    readonly env: readonly string[];
    readonly cwd: string;
    readonly capabilities: Readonly<Record<CapabilitySet, readonly string[]>>;
    readonly noNewPrivileges: boolean;
    readonly oomScoreAdj?: number;
    readonly rlimits?: readonly { readonly type: string; readonly hard: number; readonly soft: number }[];
  };
  readonly root: { readonly path: string; readonly readonly: boolean };
  readonly hostname?: string;
  readonly mounts: readonly OciMount[];
  readonly linux: {
    readonly namespaces: readonly { readonly type: string; readonly path?: string }[];
    readonly cgroupsPath: string;
    readonly maskedPaths: readonly string[];
    readonly readonlyPaths: readonly string[];
    readonly resources: {
      readonly memory?: { readonly limit: number };
      readonly pids?: { readonly limit: number };
      readonly devices: readonly { readonly allow: boolean; readonly access: string }[];
    };
    readonly rootfsPropagation?: string;
    readonly seccomp?: SeccompProfile;
  };
}

export interface OciMount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
  readonly uidMappings?: readonly IdMapping[];
  readonly gidMappings?: readonly IdMapping[];
}

/** A range of ids inside the container and on the host. */
export interface IdMapping {
  readonly containerID: number;
  readonly hostID: number;
  readonly size: number;
}

const capabilitySets = ["bounding", "effective", "permitted", "inheritable", "ambient"] as const;
type CapabilitySet = (typeof capabilitySets)[number];

/** The same capabilities in every set. */
export function capabilityGrant(capabilities: readonly string[]): OciSpec["process"]["capabilities"] {
  return Object.fromEntries(capabilitySets.map((set) => [set, capabilities])) as Record<
    CapabilitySet,
    readonly string[]
  >;
}

export interface SystemContainer {
  readonly id: string;
  readonly args: readonly string[];
  /** The host directory that becomes the root, read-only. */
  readonly rootfs: string;
  readonly uid: number;
  readonly gid: number;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly OciMount[];
  /** Path below the root of the control groups, such as `/system/apid`. */
  readonly cgroup: string;
  readonly memoryLimitBytes?: number;
  /** Processes and threads. @default unbounded */
  readonly maxProcesses?: number;
  /** System calls it may make. @default all that the kernel lets its user make */
  readonly seccomp?: SeccompProfile;
  /** Left out where the host does not allow lowering it. */
  readonly oomScoreAdjustment?: number;
}

/** Mounts that every container needs below `/`: its own processes, devices and temporary files. */
const baseMounts: readonly OciMount[] = [
  { destination: "/proc", type: "proc", source: "proc", options: ["nosuid", "noexec", "nodev"] },
  { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "strictatime", "mode=755", "size=64k"] },
  {
    destination: "/tmp",
    type: "tmpfs",
    source: "tmpfs",
    options: ["nosuid", "noexec", "nodev", "mode=1777", "size=1m"],
  },
];

export const maskedPaths = [
  "/proc/acpi",
  "/proc/kcore",
  "/proc/keys",
  "/proc/latency_stats",
  "/proc/timer_list",
  "/proc/sched_debug",
  "/sys/firmware",
];
export const readonlyPaths = ["/proc/asound", "/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

/**
 * A daemon of ours as a container: the network of the host, everything else its own; no capability, no new privilege, a read-only
 * root, no device but the standard ones.
 */
export function systemContainerSpec(container: SystemContainer): OciSpec {
  return {
    ociVersion: "1.1.0",
    process: {
      terminal: false,
      user: { uid: container.uid, gid: container.gid },
      args: container.args,
      env: Object.entries(container.env).map(([name, value]) => `${name}=${value}`),
      cwd: "/",
      capabilities: capabilityGrant([]),
      noNewPrivileges: true,
      ...(container.oomScoreAdjustment === undefined ? {} : { oomScoreAdj: container.oomScoreAdjustment }),
    },
    root: { path: container.rootfs, readonly: true },
    mounts: [...baseMounts, ...container.mounts],
    linux: {
      namespaces: [{ type: "pid" }, { type: "ipc" }, { type: "uts" }, { type: "mount" }],
      cgroupsPath: container.cgroup,
      maskedPaths,
      readonlyPaths,
      resources: {
        devices: [{ allow: false, access: "rwm" }],
        ...(container.memoryLimitBytes === undefined ? {} : { memory: { limit: container.memoryLimitBytes } }),
        ...(container.maxProcesses === undefined ? {} : { pids: { limit: container.maxProcesses } }),
      },
      ...(container.seccomp === undefined ? {} : { seccomp: container.seccomp }),
    },
  };
}

/** A read-only look at a host directory or file. */
export function readOnlyBind(source: string, destination: string = source): OciMount {
  return { destination, type: "bind", source, options: ["rbind", "ro", "nosuid", "nodev"] };
}

/** A host directory the container may write to. */
export function writableBind(source: string, destination: string = source): OciMount {
  return { destination, type: "bind", source, options: ["rbind", "rw", "nosuid", "nodev", "noexec"] };
}
