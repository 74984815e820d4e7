import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { parseExposedPort, parseMount, type ClusterRequest } from "@talos-ts/provision";
import type { Invocation, OptionDefinition } from "../../command.ts";
import { parseSize } from "../../output/size.ts";
import { badFlag, flag, integerOption, listOption, numberOption, textOption } from "../../values.ts";
import { clusterOptions, installOption, waitOptions } from "./cluster-options.ts";

const patches = "patch of the generated configurations, or @file";

export const createOptions: readonly OptionDefinition[] = [
  ...clusterOptions,
  { flags: "--controlplanes <count>", description: "number of control plane nodes (default: 1)" },
  { flags: "--workers <count>", description: "number of worker nodes (default: 1)" },
  { flags: "--subnet <cidr>", description: "IPv4 network of the nodes (default: 10.5.0.0/24)" },
  { flags: "--cidr <cidr>", description: "the same as --subnet (default: 10.5.0.0/24)", hidden: true },
  { flags: "--mtu <bytes>", description: "MTU of the network (default: 1500)" },
  { flags: "--cpus <number>", description: "share of CPUs for each control plane node (default: 2)" },
  { flags: "--cpus-controlplanes <number>", description: "the same as --cpus (default: 2)", hidden: true },
  { flags: "--cpus-workers <number>", description: "share of CPUs for each worker (default: as --cpus)" },
  { flags: "--memory <size>", description: "memory of each control plane node, in MiB or as 2GiB (default: 2GiB)" },
  { flags: "--memory-controlplanes <size>", description: "the same as --memory (default: 2GiB)", hidden: true },
  { flags: "--memory-workers <size>", description: "memory of each worker (default: as --memory)" },
  {
    flags: "-p, --exposed-ports <list>",
    description: "ports of this machine that lead to the first control plane node, as in 8080:80/tcp",
    list: true,
  },
  { flags: "--host-ip <address>", description: "address of this machine for --exposed-ports (default: 0.0.0.0)" },
  {
    flags: "--mount <mount>",
    description: "mount of every node, as in type=bind,source=/srv,target=/var/mnt/srv,readonly",
    repeat: true,
  },
  { flags: "--disable-ipv6", description: "switch IPv6 off in the nodes" },
  { flags: "--registry-mirror <list>", description: "mirrors, as in docker.io=https://mirror:5000", list: true },
  {
    flags: "--image <image>",
    description: "run this image: sha256:<hex> of one built before, or a squashfs file (default: build one)",
  },
  {
    flags: "--kubernetes-version <version>",
    description: `version of Kubernetes (default: ${defaultKubernetesVersion})`,
  },
  {
    flags: "--images <source>",
    description:
      "where container images come from: pull (registries), build (from Go modules, minutes once), auto (pull, or build when a registry and its mirrors do not answer), none: nodes without Kubernetes (default: auto)",
  },
  {
    flags: "--image-cache-path <folder>",
    description: "OCI image layout that the nodes take container images from, through their image cache",
  },
  { flags: "--config-patch <patch>", description: `${patches}, for all nodes`, repeat: true },
  { flags: "--config-patch-control-plane <patch>", description: `${patches}, for control plane nodes`, repeat: true },
  { flags: "--config-patch-controlplanes <patch>", description: "the same", hidden: true, repeat: true },
  { flags: "--config-patch-worker <patch>", description: `${patches}, for workers`, repeat: true },
  { flags: "--config-patch-workers <patch>", description: "the same", hidden: true, repeat: true },
  installOption,
  {
    flags: "--refresh",
    description: "build the image with the newest Debian packages, not with those of the last build",
  },
  ...waitOptions,
  {
    flags: "--skip-kubeconfig",
    description: "do not merge the kubeconfig of the cluster into the default one",
  },
  {
    flags: "--skip-injecting-config",
    description:
      "start nodes without configuration, in maintenance mode, and write their configurations to this folder",
  },
  { flags: "--with-apply-config", description: "with --skip-injecting-config: apply them once the nodes answer" },
  { flags: "-f, --force", description: "with --skip-injecting-config: replace files that exist" },
];

/** Flags that only containers have: they are made on the host, not in the node. */
const containerFlags = /^(?:-p, --exposed-ports|--host-ip|--mount|--disable-ipv6) /;

/** Flags of a cluster of virtual machines. */
export const qemuOptions: readonly OptionDefinition[] = [
  ...createOptions.filter(({ flags }) => !containerFlags.test(`${flags} `)),
  { flags: "--disk <size>", description: "disk of each machine, in MiB or as 6GiB (default: 6GiB)" },
];

/** Returns what the flags ask for; absent where they say nothing. */
export function readRequest(invocation: Invocation): ClusterRequest {
  const size = (...names: readonly string[]): number | undefined => {
    const name = names.find((each) => textOption(invocation, each) !== undefined);
    const text = name === undefined ? undefined : textOption(invocation, name);
    if (name === undefined || text === undefined) return undefined;
    const bytes = parseSize(text);
    if (bytes === undefined) throw badFlag(name, text, "a size such as 2048, 2048MiB or 2GiB");
    return bytes;
  };
  const number = (...names: readonly string[]): number | undefined =>
    names.map((name) => numberOption(invocation, name)).find((value) => value !== undefined);
  const text = (...names: readonly string[]): string | undefined =>
    names.map((name) => textOption(invocation, name)).find((value) => value !== undefined);
  return defined({
    name: text("name"),
    subnet: text("subnet", "cidr"),
    controlPlanes: integerOption(invocation, "controlplanes"),
    workers: integerOption(invocation, "workers"),
    mtu: integerOption(invocation, "mtu"),
    cpus: number("cpus", "cpusControlplanes"),
    workerCpus: number("cpusWorkers"),
    memoryBytes: size("memory", "memoryControlplanes"),
    workerMemoryBytes: size("memoryWorkers"),
    diskBytes: size("disk"),
    imageCache: layoutFolder(text("imageCachePath")),
    mounts: listOption(invocation, "mount").map(parseMount),
    exposedPorts: listOption(invocation, "exposedPorts").map(parseExposedPort),
    hostIp: text("hostIp"),
    disableIpv6: flag(invocation, "disableIpv6"),
  });
}

/** @throws OsError when the folder is not an OCI image layout. */
function layoutFolder(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const folder = resolve(path);
  if (existsSync(join(folder, "oci-layout")) && existsSync(join(folder, "index.json"))) return folder;
  throw badFlag("imageCachePath", path, "a folder with an OCI image layout (oci-layout, index.json, blobs)");
}

/** Patches by the nodes they are for. */
export function readPatches(
  invocation: Invocation,
): Readonly<Record<"all" | "controlplane" | "worker", readonly string[]>> {
  const lists = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => listOption(invocation, name));
  return {
    all: lists("configPatch"),
    controlplane: lists("configPatchControlPlane", "configPatchControlplanes"),
    worker: lists("configPatchWorker", "configPatchWorkers"),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends Readonly<Record<string, unknown>>>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
