import { newNode, withFailure, withSample, type NodeView } from "./node-view.ts";
import type { NodeSample } from "./sample.ts";
import { initialState, withLogLines, withNodes, type DashboardState } from "./state.ts";

/** Time of the pictures, in ms. */
export const now = Date.UTC(2026, 0, 2);

const gigabyte = 1e9;

/** Facts of a node, `seconds` before now; counters grow evenly. */
function sampleAt(seconds: number, hostname: string, change: Partial<NodeSample> = {}): NodeSample {
  const passed = 100 - seconds;
  return {
    hostname,
    version: "v1.13.9",
    stage: "running",
    ready: true,
    unmet: [],
    machineType: "controlplane",
    addresses: ["10.5.0.2/24", "fd00::2/64"],
    gateways: ["10.5.0.1"],
    resolvers: ["10.5.0.1", "9.9.9.9"],
    timeServers: [],
    clusterName: "demo",
    services: [
      { id: "apid", state: "Running", healthy: true, message: "Health check successful" },
      { id: "kubelet", state: "Running", healthy: false, message: "connection refused" },
      { id: "machined", state: "Running", healthy: undefined, message: "Service started" },
    ],
    diagnostics: [],
    bootTimeMs: now - 90_061_000,
    processors: { count: 2, mhz: 2450 },
    memory: { total: 4 * gigabyte, used: (1 + passed / 100) * gigabyte },
    load: [0.5, 0.4, 0.3],
    cpu: { cpuBusy: passed * 0.5, cpuTotal: passed * 2 },
    network: { received: passed * 2000, sent: passed * 1000 },
    disks: { read: 0, written: passed * 4096 },
    processes: [
      { pid: 1, state: "S", threads: 11, cpuTime: passed * 0.1, memoryBytes: 82_000_000, command: "/sbin/init" },
      {
        pid: 42,
        state: "R",
        threads: 4,
        cpuTime: passed * 0.4,
        memoryBytes: 2_100_000,
        command: "/usr/bin/kubelet -v",
      },
    ],
    ...change,
  };
}

function sampled(node: NodeView, seconds: readonly number[], change: Partial<NodeSample> = {}): NodeView {
  const hostname = node.member?.hostname ?? "";
  return seconds.reduce((view, past) => withSample(view, sampleAt(past, hostname, change), now - past * 1000), node);
}

function member(index: number, hostname: string, machineType: "controlplane" | "worker"): NodeView {
  const address = `10.5.0.${String(index)}`;
  return newNode(address, { hostname, machineType, operatingSystem: "Talos (v1.13.9)", addresses: [address] });
}

const steps = [60, 50, 40, 30, 20, 10, 0];

/** A machine that waits for its configuration, on its own console. */
export function maintenanceState(): DashboardState {
  const node = newNode("this machine");
  const facts: Partial<NodeSample> = {
    stage: "maintenance",
    machineType: "unknown",
    clusterName: "",
    services: [
      { id: "apid", state: "Running", healthy: true, message: "Health check successful" },
      { id: "dashboard", state: "Running", healthy: undefined, message: "Process started with PID 900" },
    ],
  };
  const view = [60, 30, 0].reduce(
    (before, past) => withSample(before, sampleAt(past, "talos-abc-def", facts), now - past * 1000),
    node,
  );
  return withLogLines(withNodes(initialState([], true), [view]), ["[talos] this machine is reachable at: 10.5.0.2"]);
}

/** A cluster in which one node has gone away, and another one never answered. */
export function sampleState(): DashboardState {
  const problem = { id: "address-overlap", message: "host and Kubernetes subnets overlap", details: ["10.5.0.0/24"] };
  const nodes = [
    sampled(member(2, "cp-1", "controlplane"), steps, { diagnostics: [problem] }),
    withFailure(sampled(member(3, "w-1", "worker"), [100, 97]), "no route to host"),
    withFailure(member(4, "w-2", "worker"), "deadline exceeded"),
  ];
  const lines = Array.from({ length: 30 }, (_, line) => `line ${String(line + 1)}`);
  return withLogLines(withNodes(initialState([]), nodes), [...lines, "warning: disk is slow", "task failed"]);
}
