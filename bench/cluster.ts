/**
 * A cluster of one control plane node and one worker, from nothing to both Ready, with images that are in the cache: how long it
 * takes and where the time goes, what it needs, how soon it heals.
 */
import { execFile } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { buildImages, buildRootfs, systemDaemons } from "@talos-ts/imager";
import { kinds, type KubernetesClient, type PodObject } from "@talos-ts/kubernetes";
import { talosVersion } from "@talos-ts/machinery/constants";
import { imageReferences, layout, planCluster, type ClusterPlan } from "@talos-ts/provision";
import { drawPhases, type Phase } from "./cluster/chart.ts";
import { createBenchClient, type BenchClient } from "./cluster/client.ts";
import { componentMemory } from "./cluster/component-memory.ts";
import { clusterCpuSeconds } from "./cluster/cpu-time.ts";
import { machineMessages, serviceStep } from "./cluster/machine-messages.ts";
import { watchMilestones, type MilestoneName } from "./cluster/milestones.ts";
import { interruptible } from "../scripts/lib/interruptible.ts";
import { publish } from "./lib/publish.ts";
import type { BenchRow } from "./lib/report.ts";
import { mebibyte } from "./node/measures.ts";

const request = { name: "bench-cluster", subnet: "10.7.0.0/24", kubernetes: true };
const idleMs = 30_000;
const limits = { readySeconds: 60 };

/** Creates the cluster and tells when what was reached, in seconds since the command was called. */
async function create(client: BenchClient, plan: ClusterPlan, signal: AbortSignal) {
  const [node] = plan.nodes;
  if (node === undefined) throw new Error("the plan has no node");
  const started = { monotonic: performance.now(), wall: Date.now() };
  const failed = new AbortController();
  const watched = watchMilestones(client, node.address, plan.nodes.length, AbortSignal.any([signal, failed.signal]));
  const cpu = watched.then(() => clusterCpuSeconds(plan));
  const which = ["--name", request.name, "--subnet", request.subnet];
  const [{ milestones, kubernetes }, cpuSeconds, healthy] = await Promise.all([
    watched,
    cpu,
    client.run("cluster", "create", ...which, "--images", "build").then(
      () => (performance.now() - started.monotonic) / 1000,
      (err: unknown) => {
        failed.abort();
        throw err;
      },
    ),
  ]);
  const messages = await machineMessages(client, node.address);
  const step = (service: string, wanted: RegExp) => {
    const { from, to } = serviceStep(messages, service, wanted);
    return { from: (from - started.wall) / 1000, to: (to - started.wall) / 1000 };
  };
  const reached = (name: MilestoneName): number => ((milestones.get(name) ?? Number.NaN) - started.monotonic) / 1000;
  const healthyEtcd = step("etcd", /Health check successful/).from;
  const answers = reached("api server answers");
  const network = reached("network of pods");
  const phases: readonly Phase[] = [
    { name: "nodes made and booted", from: 0, to: step("apid", /Health check successful/).from },
    { name: "image of etcd", ...step("etcd", /Pulling image/) },
    { name: "etcd", from: step("etcd", /Creating service runner/).from, to: healthyEtcd },
    { name: "image of kubelet", ...step("kubelet", /Pulling image/) },
    { name: "kubelet", from: step("kubelet", /Creating/).from, to: step("kubelet", /Health check successful/).from },
    { name: "API server answers", from: healthyEtcd, to: answers },
    { name: "nodes registered", from: answers, to: reached("nodes registered") },
    { name: "network of pods", from: reached("nodes registered"), to: network },
    { name: "nodes Ready", from: network, to: Math.max(reached("nodes ready"), network) },
    { name: "all checks passed", from: reached("nodes ready"), to: healthy },
  ];
  return { phases, kubernetes, ready: reached("nodes ready"), cpuSeconds, healthy };
}

/** Seconds from deleting the mirror of a static pod until the kubelet has put it back and says it is ready. */
async function healStaticPod(kubernetes: KubernetesClient, node: string, signal: AbortSignal): Promise<number> {
  const ref = { ...kinds.pod, namespace: "kube-system", name: `kube-scheduler-${node}` };
  const { metadata } = await kubernetes.get<PodObject>(ref, { signal });
  const started = performance.now();
  await kubernetes.delete(ref, { signal });
  for (;;) {
    const pod = await kubernetes.get<PodObject>(ref, { signal }).catch(() => undefined);
    const ready = pod?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
    if (ready && pod.metadata.uid !== metadata.uid) return (performance.now() - started) / 1000;
    await setTimeout(50, undefined, { signal });
  }
}

async function diskMiB(path: string): Promise<number> {
  const { stdout } = await promisify(execFile)("du", ["--summarize", "--one-file-system", "--block-size=1", path]);
  return Number(stdout.split("\t")[0]) / mebibyte;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

const seconds = (name: string, ours: number, limit?: number): BenchRow => ({
  name,
  unit: "s",
  better: "less",
  ours,
  ...(limit !== undefined && { limit }),
});
const mebibytes = (name: string, ours: number): BenchRow => ({ name, unit: "MiB", better: "less", ours });

await interruptible(async (signal) => {
  await buildImages({ references: imageReferences(), signal });
  await buildRootfs({ daemons: systemDaemons(), version: talosVersion, podNetwork: true, signal });
  await using client = await createBenchClient(signal);
  const plan = planCluster(request, join(client.home, ".talos/clusters"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => client.destroyCluster(request.name));

  const load = loadavg()[0] ?? 0;
  const { phases, kubernetes, ready, cpuSeconds, healthy } = await create(client, plan, signal);
  cleanup.use(kubernetes);
  const [controlPlane = ""] = plan.nodes.map(({ address }) => address);
  await setTimeout(idleMs, undefined, { signal });
  const health = await timed(() => client.run("--nodes", controlPlane, "health"));
  const rows: BenchRow[] = [
    seconds("create → both nodes Ready", ready, limits.readySeconds),
    seconds("CPU time of both nodes until then", cpuSeconds),
    seconds("create → all checks passed", healthy),
    ...phases.map(({ name, from, to }) => seconds(`phase: ${name}`, to - from)),
    seconds("`talosctl health` of a healthy cluster", health),
    seconds("deleted static pod → ready again", await healStaticPod(kubernetes, plan.nodes[0]?.name ?? "", signal)),
  ];
  for (const node of plan.nodes) {
    const memory = await componentMemory(plan, node);
    const whole = [...memory.values()].reduce((sum, bytes) => sum + bytes, 0);
    rows.push(mebibytes(`${node.type}: memory`, whole / mebibyte));
    for (const [name, bytes] of memory) rows.push(mebibytes(`${node.type}: ${name}`, bytes / mebibyte));
    rows.push(mebibytes(`${node.type}: disk`, await diskMiB(layout.node(plan, node))));
  }
  await publish("cluster", {
    title: "A cluster with Kubernetes",
    peer: "limits (≤)",
    rows,
    chart: drawPhases(phases),
    notes: [
      "One control plane node and one worker, container images and root file system in the cache, from calling `talosctl cluster create` on.",
      "Phases are those of the control plane node; some run at the same time. Nodes, pods and the API server are watched from outside, the rest are lines of the machine.",
      `The host had a load of ${load.toFixed(1)} on ${availableParallelism()} cores before the start: above a few tenths, wall times say more about its other work than about the cluster.`,
      "CPU time does not depend on what else the host does: divided by the cores it is the least that a create can take.",
      "A deleted static pod goes on running; what takes its time is the kubelet, which reports the status of its pods every 10 s.",
      `Memory is PSS, ${idleMs / 1000} s after all checks passed; pages that several programs share are counted in parts.`,
      "Disk: everything in the folder of the node, most of it unpacked images.",
    ],
  });
});
