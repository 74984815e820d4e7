import { isIPv4 } from "node:net";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { addressBytes, maskPrefix, nthAddress, parsePrefix } from "@talos-ts/base/net";
import { identifyCluster, type ClusterIdentity } from "./cluster-identity.ts";
import type { ExposedPort } from "./exposed-port.ts";
import type { NodeMount } from "./node-mount.ts";

export type NodeType = "controlplane" | "worker";

/** Name of a provisioner: `container` runs each node as a container of the host's runc, `qemu` as a virtual machine. */
export type ProvisionerName = "container" | "qemu";

/** Requested properties of a cluster. */
export interface ClusterRequest {
  /** @default "talos-default" */
  readonly name?: string;
  /** @default "container" */
  readonly provisioner?: ProvisionerName;
  /** IPv4 network in CIDR form. @default "10.5.0.0/24" */
  readonly subnet?: string;
  /** @default 1 */
  readonly controlPlanes?: number;
  /** @default 1 */
  readonly workers?: number;
  /** Per node. @default 2 GiB */
  readonly memoryBytes?: number;
  /** Per node; fractions are allowed. @default 2 */
  readonly cpus?: number;
  /** Of workers only. @default that of all nodes */
  readonly workerMemoryBytes?: number;
  /** Of workers only. @default that of all nodes */
  readonly workerCpus?: number;
  /** Size of the disk of each virtual machine. @default 6 GiB */
  readonly diskBytes?: number;
  /** @default 1500 */
  readonly mtu?: number;
  /** Folder with an OCI image layout that nodes take container images from, by its full path. @default none */
  readonly imageCache?: string;
  /** True when the nodes run Kubernetes, which takes memory and space. @default false */
  readonly kubernetes?: boolean;
  /** Mounts of every node. @default none */
  readonly mounts?: readonly NodeMount[];
  /** Ports of the host that lead to the first control plane node. @default none */
  readonly exposedPorts?: readonly ExposedPort[];
  /** IPv4 address of the host that exposed ports are on. @default 0.0.0.0, all addresses */
  readonly hostIp?: string;
  /** Switches IPv6 off in the nodes. @default false */
  readonly disableIpv6?: boolean;
}

export interface NodePlan {
  readonly name: string;
  readonly type: NodeType;
  readonly address: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  /** The host's end of the cable. */
  readonly link: string;
  /** Of the node's end; stays the same when the node restarts, as neighbours remember it. */
  readonly hardwareAddress: string;
}

/** Everything `create` will make, decided before anything is made. */
export interface ClusterPlan extends ClusterIdentity {
  readonly name: string;
  readonly provisioner: ProvisionerName;
  readonly network: {
    readonly subnet: string;
    readonly gateway: string;
    readonly prefixLength: number;
    readonly mtu: number;
  };
  readonly nodes: readonly NodePlan[];
  /** Size of the disk of each node. Absent for containers. */
  readonly diskBytes?: number;
  /** Shown to every node, read-only, as its image cache. */
  readonly imageCache?: string;
  /** Absent when the nodes run without Kubernetes. */
  readonly kubernetes?: true;
  /** Absent when there are none. */
  readonly mounts?: readonly NodeMount[];
  /** Absent when there are none. */
  readonly exposedPorts?: readonly ExposedPort[];
  /** Absent for all addresses. */
  readonly hostIp?: string;
  /** Absent when the nodes have IPv6. */
  readonly disableIpv6?: true;
}

const defaults = {
  name: "talos-default",
  provisioner: "container",
  diskBytes: 6 * 1024 ** 3,
  subnet: "10.5.0.0/24",
  controlPlanes: 1,
  workers: 1,
  memoryBytes: 2 * 1024 ** 3,
  cpus: 2,
  mtu: 1500,
} as const;

/** With less, a node would only look as if it started; `kubernetes` is what its daemons take when they have nothing to do. */
const leastMemoryBytes = {
  machine: { controlplane: 256 * 1024 ** 2, worker: 256 * 1024 ** 2 },
  kubernetes: { controlplane: 1536 * 1024 ** 2, worker: 768 * 1024 ** 2 },
} as const;

/** A machine starts from a file system in memory, and has no host that lends it any. With 1 GiB, firmware that has a display finds no room for it. */
const leastMachineMemoryBytes = 1536 * 1024 ** 2;
/** Room for the partitions of the system and a little data. */
const leastDiskBytes = 4 * 1024 ** 3;

const anyAddress = "0.0.0.0";

/** Numbers of links have three digits. */
const mostNodes = 1000;

/**
 * Decides names, addresses and places of a cluster: the gateway has the first address, control planes follow, then
 * workers. The same request in the same folder gives the same plan.
 *
 * @throws OsError `provision/bad-request` with the option that is wrong and what is expected.
 */
export function planCluster(request: ClusterRequest, clustersDirectory: string): ClusterPlan {
  const all = { ...defaults, ...request };
  const wanted = { workerMemoryBytes: all.memoryBytes, workerCpus: all.cpus, ...all };
  check(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(wanted.name), "name", wanted.name, nameRule);
  check(
    Number.isInteger(wanted.controlPlanes) && wanted.controlPlanes >= 1,
    "controlplanes",
    wanted.controlPlanes,
    "1 or more",
  );
  check(Number.isInteger(wanted.workers) && wanted.workers >= 0, "workers", wanted.workers, "0 or more");
  for (const cpus of [wanted.cpus, wanted.workerCpus]) check(cpus > 0, "cpus", cpus, "more than 0");
  const least = leastMemoryBytes[wanted.kubernetes === true ? "kubernetes" : "machine"];
  const memory = {
    memory: [wanted.memoryBytes, least.controlplane],
    "memory-workers": [wanted.workerMemoryBytes, least.worker],
  };
  const isMachine = wanted.provisioner === "qemu";
  for (const [option, [bytes = 0, enough = 0]] of Object.entries(memory)) {
    const needed = isMachine ? Math.max(enough, leastMachineMemoryBytes) : enough;
    check(bytes >= needed, option, bytes, `at least ${needed} bytes (${needed / 1024 ** 2} MiB)`);
  }
  check(wanted.diskBytes >= leastDiskBytes, "disk", wanted.diskBytes, `at least ${leastDiskBytes} bytes (4 GiB)`);
  check(wanted.mtu >= 576 && wanted.mtu <= 9000, "mtu", wanted.mtu, "576 to 9000");

  const { exposedPorts = [], hostIp = anyAddress } = request;
  check(isIPv4(hostIp), "host-ip", hostIp, "an IPv4 address of this machine");
  const ports = exposedPorts.map(({ hostPort, protocol }) => `${String(hostPort)}/${protocol}`);
  check(new Set(ports).size === ports.length, "exposed-ports", ports.join(","), "each port of the host once");

  const addresses = addressesOf(wanted.subnet);
  const count = wanted.controlPlanes + wanted.workers;
  check(count <= mostNodes, "workers", wanted.workers, `at most ${mostNodes} nodes in all`);
  check(count < addresses.size, "subnet", wanted.subnet, `room for a gateway and ${count} nodes`);

  const identity = identifyCluster(join(clustersDirectory, wanted.name));
  const types: NodeType[] = [
    ...Array.from({ length: wanted.controlPlanes }, () => "controlplane" as const),
    ...Array.from({ length: wanted.workers }, () => "worker" as const),
  ];
  return {
    ...identity,
    name: wanted.name,
    provisioner: wanted.provisioner,
    network: {
      subnet: addresses.subnet,
      gateway: addresses.at(1),
      prefixLength: addresses.length,
      mtu: wanted.mtu,
    },
    nodes: types.map((type, index) => ({
      name: `${wanted.name}-${type}-${type === "worker" ? index - wanted.controlPlanes + 1 : index + 1}`,
      type,
      address: addresses.at(index + 2),
      memoryBytes: type === "worker" ? wanted.workerMemoryBytes : wanted.memoryBytes,
      cpus: type === "worker" ? wanted.workerCpus : wanted.cpus,
      link: `${identity.linkPrefix}${String(index).padStart(3, "0")}`,
      hardwareAddress: hardwareAddress(addresses.at(index + 2)),
    })),
    ...(wanted.provisioner === "qemu" && { diskBytes: wanted.diskBytes }),
    ...(request.imageCache !== undefined && { imageCache: request.imageCache }),
    ...(request.kubernetes === true && { kubernetes: true }),
    ...(request.mounts !== undefined && request.mounts.length > 0 && { mounts: request.mounts }),
    ...(exposedPorts.length > 0 && { exposedPorts }),
    ...(hostIp !== anyAddress && { hostIp }),
    ...(request.disableIpv6 === true && { disableIpv6: true }),
  };
}

/** A locally administered address that carries the IP address, as unique as that. */
function hardwareAddress(address: string): string {
  const bytes = [...addressBytes(address)].map((byte) => byte.toString(16).padStart(2, "0"));
  return `02:05:${bytes.join(":")}`;
}

interface Addresses {
  readonly subnet: string;
  readonly length: number;
  /** Number of usable addresses. */
  readonly size: number;
  at(index: number): string;
}

function addressesOf(subnet: string): Addresses {
  const expected = "an IPv4 network such as 10.5.0.0/24";
  const canonical = attempt(() => maskPrefix(subnet));
  check(canonical !== undefined && subnet.includes("/") && !subnet.includes(":"), "subnet", subnet, expected);
  const { length } = parsePrefix(canonical ?? subnet);
  check(length >= 16 && length <= 29, "subnet", subnet, `${expected}, between /16 and /29`);
  return {
    subnet: canonical ?? subnet,
    length,
    size: 2 ** (32 - length) - 2,
    at: (index) => nthAddress(canonical ?? subnet, index),
  };
}

const nameRule = "1 to 32 lower-case letters, digits and dashes, not beginning or ending with a dash";

function check(holds: boolean, option: string, actual: string | number, expected: string): void {
  if (holds) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "provision/bad-request",
    message: `Cannot create a cluster with --${option} "${actual}": expected ${expected}`,
    next: "talosctl cluster create --help",
    details: { option, actual },
  });
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
