import { dirname, basename } from "node:path";
import { VolumeConfig, type VolumeConfigSpec } from "@talos-ts/machinery/resources/block";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { overlayPaths } from "../../../volumes/overlay-paths.ts";

/** A volume and the id others ask for it by. */
export interface Volume {
  readonly id: string;
  readonly spec: VolumeConfigSpec;
}

interface Directory {
  /** @default the path */
  readonly id?: string;
  readonly path: string;
  /** 0 leaves the mode to whoever uses the directory. */
  readonly mode: number;
  /** User and group. @default {0} */
  readonly owner?: number;
  /** True when everything below gets owner and label too. */
  readonly recursive?: boolean;
  readonly label: string;
}

const label = (name: string): string => `system_u:object_r:${name}_t:s0`;

const etcdUser = 60;
const apiServerUser = 65534;

/** Directories below `/var` that services ask for; parents before children. */
const directories: readonly Directory[] = [
  { path: "/var/log", mode: 0o755, label: label("var_log") },
  { path: "/var/log/audit", mode: 0o700, label: label("audit_log") },
  { path: "/var/log/audit/kube", mode: 0o700, owner: apiServerUser, recursive: true, label: label("kube_log") },
  { path: "/var/log/containers", mode: 0o755, label: label("containers_log") },
  { path: "/var/log/pods", mode: 0o755, label: label("pods_log") },
  { path: "/var/lib", mode: 0o700, label: label("ephemeral") },
  { id: "ETCD", path: "/var/lib/etcd", mode: 0o700, owner: etcdUser, recursive: true, label: label("etcd_data") },
  { path: "/var/lib/containerd", mode: 0, label: label("containerd_state") },
  { path: "/var/lib/kubelet", mode: 0o700, label: label("kubelet_state") },
  { path: "/var/lib/cni", mode: 0o700, recursive: true, label: label("cni_state") },
  { path: "/var/lib/kubelet/seccomp", mode: 0o700, label: label("seccomp_profile") },
  { path: "/var/lib/kubelet/seccomp/profiles", mode: 0o700, recursive: true, label: label("seccomp_profile") },
  { path: "/var/mnt", mode: 0o755, label: label("ephemeral") },
  { path: "/var/run/lock", mode: 0o755, label: label("var_lock") },
];

/** Holds identity and configuration of the node; there before any configuration is. */
const stateVolume: Volume = {
  id: systemVolumes.state,
  spec: VolumeConfig.spec({
    type: "directory",
    mount: { targetPath: "/system/state", selinuxLabel: label("system_state"), fileMode: 0o700 },
  }),
};

/** Holds everything a configured node keeps. */
const ephemeralVolume: Volume = {
  id: systemVolumes.ephemeral,
  spec: VolumeConfig.spec({
    type: "directory",
    mount: { targetPath: "/var", selinuxLabel: label("ephemeral"), fileMode: 0o755 },
  }),
};

/** Programs look for `/var/run`, which must not outlive a boot. */
const runVolume: Volume = {
  id: "/var/run",
  spec: VolumeConfig.spec({
    type: "symlink",
    mount: { targetPath: "/var/run" },
    symlink: { symlinkTargetPath: "/run", force: true },
  }),
};

const directoryVolumes: readonly Volume[] = directories.map((directory) => {
  const { path, mode, owner = 0, recursive = false } = directory;
  return {
    id: idOf(directory),
    spec: VolumeConfig.spec({
      type: "directory",
      mount: {
        targetPath: basename(path),
        parentId: parentId(dirname(path)),
        selinuxLabel: directory.label,
        fileMode: mode,
        uid: owner,
        gid: owner,
        recursiveRelabel: recursive,
      },
    }),
  };
});

function idOf({ id, path }: Directory): string {
  return id ?? path;
}

function parentId(path: string): string {
  if (path === "/var") return ephemeralVolume.id;
  const parent = directories.find((directory) => directory.path === path);
  return parent === undefined ? path : idOf(parent);
}

/** Volumes of a node in a container, where everything is a directory of the host. */
export function containerVolumes(configured: boolean): readonly Volume[] {
  return configured ? [stateVolume, ephemeralVolume, runVolume, ...directoryVolumes] : [stateVolume];
}

const overlayVolumes: readonly Volume[] = overlayPaths.map((path) => ({
  id: path,
  spec: VolumeConfig.spec({ type: "overlay", mount: { targetPath: path, parentId: systemVolumes.ephemeral } }),
}));

/** The same volume on a partition that has its name, with a file system of its own. */
function onPartition({ id, spec }: Volume): Volume {
  const provisioning = { partitionSpec: { label: id }, filesystemSpec: { type: "xfs", label: id } } as const;
  return { id, spec: VolumeConfig.spec({ ...spec, type: "partition", provisioning }) };
}

const metaVolume: Volume = {
  id: systemVolumes.meta,
  spec: VolumeConfig.spec({ type: "partition", provisioning: { partitionSpec: { label: systemVolumes.meta } } }),
};

/** Volumes of a machine with disks: those of the system are partitions. */
export function machineVolumes(configured: boolean): readonly Volume[] {
  const early = [metaVolume, onPartition(stateVolume)];
  if (!configured) return early;
  return [...early, onPartition(ephemeralVolume), runVolume, ...directoryVolumes, ...overlayVolumes];
}
