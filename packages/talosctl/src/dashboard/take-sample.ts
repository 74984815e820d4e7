import { OsError } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Info } from "@talos-ts/machinery/resources/cluster";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { NodeStatus } from "@talos-ts/machinery/resources/k8s";
import {
  HostnameStatus,
  NodeAddress,
  ResolverStatus,
  RouteStatus,
  TimeServerStatus,
} from "@talos-ts/machinery/resources/network";
import { Diagnostic, MachineStatus, Version } from "@talos-ts/machinery/resources/runtime";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CPUStat } from "@talos-ts/proto/machine/system";
import { commandLine } from "../output/command-line.ts";
import type { NodeSample } from "./sample.ts";

/** Size of a sector in `/proc/diskstats`, whatever the disk says (man 5 proc). */
const sectorBytes = 512;

/** A part of a sample, and how it is asked for. */
type Part = () => Promise<Partial<NodeSample>>;

export interface SampleOptions {
  readonly connection: ApiConnection;
  /** Address of the node; `undefined` for the endpoint itself. */
  readonly node: string | undefined;
  /** Network too, which is shown of the node that is looked at. */
  readonly withNetwork: boolean;
  /** Processes too: the longest of all lists. */
  readonly withProcesses: boolean;
  readonly signal: AbortSignal;
}

/**
 * Asks a node for all facts at once. What one part fails with costs that part only.
 *
 * @throws the first failure when every part failed: the node cannot be reached.
 */
export async function takeSample(options: SampleOptions): Promise<NodeSample> {
  const results = await Promise.allSettled([...resourceParts(options), ...machineParts(options)].map((part) => part()));
  const parts = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (parts.length === 0 && failed !== undefined) throw OsError.from(failed.reason);
  return Object.assign({}, ...parts) as NodeSample;
}

function resourceParts({ connection, node, withNetwork }: SampleOptions): readonly Part[] {
  const resources = openResources(connection, node, [
    Diagnostic,
    HostnameStatus,
    Info,
    MachineStatus,
    MachineType,
    NodeAddress,
    NodeStatus,
    ResolverStatus,
    RouteStatus,
    TimeServerStatus,
    Version,
  ]);
  const parts: Part[] = [
    async () => ({ hostname: (await resources.find(HostnameStatus, HostnameStatus.id))?.spec.hostname ?? "" }),
    async () => ({ version: (await resources.find(Version, Version.id))?.spec.version ?? "" }),
    async () => ({ machineType: (await resources.find(MachineType, MachineType.id))?.spec ?? "unknown" }),
    async () => ({ clusterName: (await resources.find(Info, Info.id))?.spec.clusterName ?? "" }),
    async () => {
      const status = (await resources.find(MachineStatus, MachineStatus.id))?.spec;
      return {
        stage: status?.stage ?? "unknown",
        ready: status?.status.ready ?? false,
        unmet: (status?.status.unmetConditions ?? []).map(({ name, reason }) => `${name}: ${reason}`),
      };
    },
    async () => ({
      addresses: (await resources.find(NodeAddress, NodeAddress.ids.current))?.spec.addresses.map(String) ?? [],
    }),
    async () => ({
      diagnostics: (await resources.list(Diagnostic)).map(({ metadata, spec: { message, details } }) => ({
        id: metadata.id,
        message,
        details,
      })),
    }),
    async () => {
      const own = (await resources.list(NodeStatus))[0]?.spec;
      return own === undefined ? {} : { kubernetesNode: { ready: own.nodeReady, schedulable: !own.unschedulable } };
    },
  ];
  if (!withNetwork) return parts;
  return [
    ...parts,
    async () => ({
      gateways: (await resources.list(RouteStatus))
        .filter(({ spec: { dst, gateway } }) => dst === "" && gateway !== "")
        .map(({ spec }) => spec.gateway),
    }),
    async () => ({ resolvers: (await resources.find(ResolverStatus, ResolverStatus.id))?.spec.dnsServers ?? [] }),
    async () => ({
      timeServers: (await resources.find(TimeServerStatus, TimeServerStatus.id))?.spec.timeServers ?? [],
    }),
  ];
}

function machineParts({ connection, node, withProcesses, signal }: SampleOptions): readonly Part[] {
  const machine = connection.service(MachineService, node === undefined ? undefined : { node });
  const call = { signal };
  const parts: Part[] = [
    async () => {
      const stat = (await machine.systemStat({}, call)).messages[0];
      if (stat?.cpuTotal === undefined) return {};
      return { bootTimeMs: Number(stat.bootTime) * 1000, cpu: cpuTimes(stat.cpuTotal) };
    },
    async () => {
      const memory = (await machine.memory({}, call)).messages[0]?.meminfo;
      if (memory === undefined) return {};
      const total = Number(memory.memtotal) * 1024;
      return { memory: { total, used: total - Number(memory.memavailable) * 1024 } };
    },
    async () => {
      const load = (await machine.loadAvg({}, call)).messages[0];
      return load === undefined ? {} : { load: [load.load1, load.load5, load.load15] };
    },
    async () => {
      const devices = (await machine.networkDeviceStats({}, call)).messages[0]?.devices ?? [];
      const links = devices.filter(({ name }) => name !== "lo");
      return {
        network: { received: sum(links, (each) => each.rxBytes), sent: sum(links, (each) => each.txBytes) },
      };
    },
    async () => {
      const total = (await machine.diskStats({}, call)).messages[0]?.total;
      if (total === undefined) return {};
      return {
        disks: { read: Number(total.readSectors) * sectorBytes, written: Number(total.writeSectors) * sectorBytes },
      };
    },
    async () => {
      const info = (await machine.cPUInfo({}, call)).messages[0]?.cpuInfo ?? [];
      return { processors: { count: info.length, mhz: info[0]?.cpuMhz ?? 0 } };
    },
    async () => {
      const services = (await machine.serviceList({}, call)).messages[0]?.services ?? [];
      return {
        services: services.map(({ id, state, health, events }) => ({
          id,
          state,
          healthy: health?.unknown === false ? health.healthy : undefined,
          // Before the first check, and without one, the message says nothing.
          message: (health?.unknown === false && health.lastMessage) || (events?.events.at(-1)?.msg ?? ""),
        })),
      };
    },
  ];
  if (!withProcesses) return parts;
  return [
    ...parts,
    async () => {
      const processes = (await machine.processes({}, call)).messages[0]?.processes ?? [];
      return {
        processes: processes.map((each) => ({
          pid: each.pid,
          state: each.state,
          threads: each.threads,
          cpuTime: each.cpuTime,
          memoryBytes: Number(each.residentMemory),
          command: commandLine(each),
        })),
      };
    },
  ];
}

function cpuTimes(stat: CPUStat): { readonly cpuBusy: number; readonly cpuTotal: number } {
  const busy = stat.user + stat.nice + stat.system + stat.irq + stat.softIrq + stat.steal;
  return { cpuBusy: busy, cpuTotal: busy + stat.idle + stat.iowait };
}

function sum<T>(items: readonly T[], value: (item: T) => bigint): number {
  return Number(items.reduce((total, item) => total + value(item), 0n));
}
