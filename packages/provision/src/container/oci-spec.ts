import { paths } from "@talos-ts/machinery/constants";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import type { HostFacts } from "./host-facts.ts";
import { layout, nodeFiles, volumes } from "./node-layout.ts";

export interface OciMount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

export interface OciSpecInput {
  readonly plan: ClusterPlan;
  readonly node: NodePlan;
  readonly host: HostFacts;
  /** Folder with the root file system. */
  readonly rootfs: string;
  /** Machine configuration; without one the node waits for it. */
  readonly config: string | undefined;
}

/**
 * The container of a node, in the form of the OCI runtime specification.
 *
 * A node is a machine, not an application: it may do everything the host may, inside its own namespaces. Only the
 * root file system is read-only, as on every machine.
 */
export function ociSpec(input: OciSpecInput): Record<string, unknown> {
  const { plan, node, host } = input;
  const all = host.capabilities;
  return {
    ociVersion: "1.0.2",
    hostname: node.name,
    root: { path: input.rootfs, readonly: true },
    process: {
      args: ["/sbin/init"],
      cwd: "/",
      env: environment(node, input.config),
      user: { uid: 0, gid: 0 },
      capabilities: { bounding: all, effective: all, permitted: all, inheritable: [], ambient: [] },
      rlimits: [{ type: "RLIMIT_NOFILE", hard: host.openFiles, soft: host.openFiles }],
      noNewPrivileges: false,
    },
    annotations: { "talos.owned": "true", "talos.cluster.name": plan.name, "talos.type": node.type },
    mounts: [...systemMounts, ...nodeMounts(plan, node)],
    linux: {
      namespaces: ["pid", "network", "ipc", "uts", "mount", "cgroup"].map((type) => ({ type })),
      cgroupsPath: `${plan.cgroup}/${node.name}`,
      ...(host.ipv6 && { sysctl: { "net.ipv6.conf.all.disable_ipv6": plan.disableIpv6 === true ? "1" : "0" } }),
      devices: host.devices.map((device) => Object.assign({ fileMode: 0o660, uid: 0, gid: 0 }, device)),
      resources: {
        devices: [{ allow: true, access: "rwm" }],
        memory: { limit: node.memoryBytes },
        cpu: { period: cpuPeriodMicroseconds, quota: Math.round(node.cpus * cpuPeriodMicroseconds) },
      },
    },
  };
}

/** Path at which a machine finds the image cache that came with its disk. */
const imageCacheMount = "/system/imagecache/disk";

const cpuPeriodMicroseconds = 100_000;

/** Mounts of every Linux machine. They are writable: containerd and kubelet work in them. */
const systemMounts: readonly OciMount[] = [
  { destination: "/proc", type: "proc", source: "proc", options: ["nosuid", "noexec", "nodev"] },
  { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755", "size=65536k"] },
  {
    destination: "/dev/pts",
    type: "devpts",
    source: "devpts",
    options: ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"],
  },
  { destination: "/dev/shm", type: "tmpfs", source: "shm", options: ["nosuid", "nodev", "mode=1777"] },
  { destination: "/dev/mqueue", type: "mqueue", source: "mqueue", options: ["nosuid", "noexec", "nodev"] },
  { destination: "/sys", type: "sysfs", source: "sysfs", options: ["nosuid", "noexec", "nodev"] },
  {
    destination: "/sys/fs/cgroup",
    type: "cgroup",
    source: "cgroup",
    options: ["nosuid", "noexec", "nodev", "relatime", "rw"],
  },
  { destination: "/run", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "mode=755"] },
  { destination: "/system", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "mode=755"] },
  { destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "mode=1777"] },
];

function nodeMounts(plan: ClusterPlan, node: NodePlan): OciMount[] {
  const bind = (source: string, destination: string, mode: "rw" | "ro"): OciMount => ({
    destination,
    source,
    type: "bind",
    options: ["rbind", mode],
  });
  return [
    bind(layout.marker(plan), "/usr/etc", "ro"),
    ...Object.entries(volumes).map(([path, name]) => bind(layout.volume(plan, node, name), path, "rw")),
    bind(layout.power(plan, node), paths.power, "rw"),
    ...nodeFiles.map((name) => bind(layout.file(plan, node, name), `/etc/${name}`, "rw")),
    ...(plan.imageCache === undefined ? [] : [bind(plan.imageCache, imageCacheMount, "ro")]),
    ...(plan.mounts ?? []).map(({ type, source, target, readonly }): OciMount => {
      const mode = readonly ? "ro" : "rw";
      if (type === "bind") return bind(source, target, mode);
      return { destination: target, type, source: "tmpfs", options: ["nosuid", "nodev", mode] };
    }),
  ];
}

function environment(node: NodePlan, config: string | undefined): string[] {
  const megabytes = Math.round(node.memoryBytes / 1024 ** 2);
  return [
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "PLATFORM=container",
    `TALOSSKU=${Math.ceil(node.cpus)}CPU-${megabytes}RAM`,
    ...(config === undefined ? [] : [`USERDATA=${Buffer.from(config).toString("base64")}`]),
  ];
}
