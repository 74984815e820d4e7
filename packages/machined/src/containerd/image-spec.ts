import { OsError } from "@talos-ts/base";
import type { ImageConfig } from "@talos-ts/oci";
import { searchPath } from "../services/environment.ts";
import { capabilityGrant, maskedPaths, readonlyPaths, readOnlyBind, type OciMount, type OciSpec } from "./oci-spec.ts";
import { serviceSeccomp } from "./seccomp.ts";

export type HostNamespace = "network" | "pid" | "ipc" | "uts";

/** A container made from an image. What is left out is as in the image, or as unprivileged as possible. */
export interface ImageContainer {
  readonly id: string;
  /** Reference of the image, such as `registry.k8s.io/etcd:v3.6.6`. */
  readonly image: string;
  /** The whole command line. @default entry point and command of the image */
  readonly args?: readonly string[];
  /** Added to the environment of the image, winning over it. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default the user of the image, which must be a number; root if it names none */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** @default that of the image, or `/` */
  readonly cwd?: string;
  /** Besides those that every container has; one for the same destination replaces it. */
  readonly mounts?: readonly OciMount[];
  /** Namespaces shared with the machine. @default {["network"]} */
  readonly hostNamespaces?: readonly HostNamespace[];
  /** Every capability and device, the machine's `/dev`, control groups and a writable `/sys`; nothing masked. @default {false} */
  readonly privileged?: boolean;
  /** No filter of system calls: for people who look into the machine, not for services. @default {false} */
  readonly unconfined?: boolean;
  /** Connects input and output to a terminal. @default {false} */
  readonly terminal?: boolean;
  /** Capabilities of a container that is not privileged. @default {[]} */
  readonly capabilities?: readonly string[];
  /** Propagation of mounts below the root to the machine: `shared` lets them out. @default {"private"} */
  readonly rootfsPropagation?: "shared" | "slave" | "private";
  /** @default {false} */
  readonly readonlyRoot?: boolean;
  /** Path below the root of the control groups, such as `/podruntime/kubelet`. */
  readonly cgroup: string;
  readonly memoryLimitBytes?: number;
  /** Open files. @default as machined */
  readonly openFiles?: number;
}

const allNamespaces: readonly HostNamespace[] = ["network", "pid", "ipc", "uts"];
const temporary = ["nosuid", "noexec", "nodev"];

const commonMounts: readonly OciMount[] = [
  { destination: "/proc", type: "proc", source: "proc", options: temporary },
  { destination: "/run", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "mode=755", "size=64m"] },
];

const plainMounts: readonly OciMount[] = [
  { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "strictatime", "mode=755", "size=64k"] },
  {
    destination: "/dev/pts",
    type: "devpts",
    source: "devpts",
    options: ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"],
  },
  { destination: "/dev/shm", type: "tmpfs", source: "shm", options: [...temporary, "mode=1777", "size=64m"] },
  { destination: "/sys", type: "sysfs", source: "sysfs", options: [...temporary, "ro"] },
];

const privilegedMounts: readonly OciMount[] = [
  { destination: "/dev", type: "bind", source: "/dev", options: ["rbind", "rw", "nosuid"] },
  { destination: "/sys", type: "sysfs", source: "sysfs", options: [...temporary, "rw"] },
  { destination: "/sys/fs/cgroup", type: "bind", source: "/sys/fs/cgroup", options: ["rbind", "rw", ...temporary] },
];

/** Files by which a container on the machine's network finds names. */
const nameMounts = ["/etc/hosts", "/etc/resolv.conf"].map((path) => readOnlyBind(path));

/**
 * Puts a container and its image together to a runtime specification.
 *
 * @param grantable capabilities that a privileged container gets
 */
export function imageContainerSpec(
  container: ImageContainer,
  image: ImageConfig,
  grantable: readonly string[],
): OciSpec {
  const { privileged = false, hostNamespaces = ["network"], capabilities = [] } = container;
  const user = container.user ?? userOf(image.user, container.image);
  const hostNames = hostNamespaces.includes("network") ? nameMounts : [];
  const base = [...commonMounts, ...(privileged ? privilegedMounts : plainMounts), ...hostNames];
  const isolated = allNamespaces.filter((type) => !hostNamespaces.includes(type));
  const { openFiles, memoryLimitBytes: limit } = container;
  return {
    ociVersion: "1.1.0",
    process: {
      terminal: container.terminal ?? false,
      user,
      args: argsOf(container, image),
      env: environmentOf(image.env, container.env ?? {}),
      cwd: container.cwd ?? (image.workingDirectory === "" ? "/" : image.workingDirectory),
      capabilities: capabilityGrant(privileged ? grantable : capabilities),
      noNewPrivileges: !privileged,
      ...(openFiles === undefined ? {} : { rlimits: [{ type: "RLIMIT_NOFILE", hard: openFiles, soft: openFiles }] }),
    },
    // Relative to the bundle: the shim mounts the snapshot there.
    root: { path: "rootfs", readonly: container.readonlyRoot ?? false },
    mounts: mergeMounts([...base, ...(container.mounts ?? [])]),
    linux: {
      namespaces: [...isolated, "mount"].map((type) => ({ type })),
      cgroupsPath: container.cgroup,
      maskedPaths: privileged ? [] : maskedPaths,
      readonlyPaths: privileged ? [] : readonlyPaths,
      resources: {
        devices: [{ allow: privileged, access: "rwm" }],
        ...(limit === undefined ? {} : { memory: { limit } }),
      },
      ...(container.unconfined === true ? {} : { seccomp: serviceSeccomp }),
      ...(container.rootfsPropagation === undefined ? {} : { rootfsPropagation: container.rootfsPropagation }),
    },
  };
}

function argsOf({ args, image: name }: ImageContainer, image: ImageConfig): readonly string[] {
  const all = args ?? [...image.entrypoint, ...image.command];
  if (all.length > 0) return all;
  throw unusable(name, "it has neither an entry point nor a command, and none is given");
}

/** Later variables win; a search path is there in any case. */
function environmentOf(image: readonly string[], own: Readonly<Record<string, string>>): readonly string[] {
  const fromImage = image.map((entry): [string, string] => {
    const [name = ""] = entry.split("=", 1);
    return [name, entry.slice(name.length + 1)];
  });
  const all = new Map([["PATH", searchPath], ...fromImage, ...Object.entries(own)]);
  return [...all].map(([name, value]) => `${name}=${value}`);
}

/** Names of users are in a file of the image, which nobody reads here. */
function userOf(user: string, name: string): { readonly uid: number; readonly gid: number } {
  const [, uid, gid] = /^(\d+)(?::(\d+))?$/.exec(user) ?? [];
  if (uid !== undefined) return { uid: Number(uid), gid: Number(gid ?? uid) };
  if (user === "" || user === "root" || user === "root:root") return { uid: 0, gid: 0 };
  throw unusable(name, `its user ${JSON.stringify(user)} is not a number, and none is given`);
}

/** Of mounts with the same destination the last one stays, at the place of the first, as parents come before children. */
function mergeMounts(mounts: readonly OciMount[]): readonly OciMount[] {
  return [...new Map(mounts.map((mount) => [mount.destination, mount])).values()];
}

function unusable(image: string, reason: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "image/unusable",
    message: `cannot make a container from image ${image}: ${reason}`,
  });
}
