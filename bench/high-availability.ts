/** Three control planes and two workers, from nothing to Ready with images that are in the cache, and their memory at rest. */
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { planCluster } from "@talos-ts/provision";
import { interruptible } from "../scripts/lib/interruptible.ts";
import { createBenchClient } from "./cluster/client.ts";
import { componentMemory } from "./cluster/component-memory.ts";
import { watchMilestones } from "./cluster/milestones.ts";
import { publish } from "./lib/publish.ts";
import type { BenchRow } from "./lib/report.ts";
import { mebibyte } from "./node/measures.ts";

const request = {
  name: "bench-ha",
  subnet: "10.7.0.0/24",
  controlPlanes: 3,
  workers: 2,
  kubernetes: true,
} as const;
const idleMs = 30_000;

/** Creates the large cluster, and destroys it. */
async function measureCluster(signal: AbortSignal): Promise<readonly BenchRow[]> {
  await using client = await createBenchClient(signal);
  const plan = planCluster(request, join(client.home, ".talos/clusters"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => client.destroyCluster(request.name));
  const size = ["--controlplanes", String(request.controlPlanes), "--workers", String(request.workers)];
  const flags = ["--name", request.name, "--subnet", request.subnet, ...size, "--images", "build"];
  const started = performance.now();
  const [{ milestones, kubernetes }, healthy] = await Promise.all([
    watchMilestones(client, plan.nodes[0]?.address ?? "", plan.nodes.length, signal),
    client.run("cluster", "create", ...flags, "--wait-timeout", "20m").then(() => performance.now() - started),
  ]);
  cleanup.use(kubernetes);
  await setTimeout(idleMs, undefined, { signal });
  const rows: BenchRow[] = [
    less("create → all nodes Ready", "s", ((milestones.get("nodes ready") ?? NaN) - started) / 1000),
    less("create → all checks passed", "s", healthy / 1000),
  ];
  let whole = 0;
  for (const node of plan.nodes) {
    const memory = [...(await componentMemory(plan, node)).values()].reduce((sum, bytes) => sum + bytes, 0);
    whole += memory;
    rows.push(less(`memory of ${node.name.replace(`${request.name}-`, "")} at rest`, "MiB", memory / mebibyte));
  }
  return [...rows, less("memory of all nodes at rest", "MiB", whole / mebibyte)];
}

const less = (name: string, unit: string, ours: number): BenchRow => ({ name, unit, better: "less", ours });

await interruptible(async (signal) => {
  const load = loadavg()[0] ?? 0;
  await publish("high-availability", {
    title: "Three control planes and two workers",
    peer: "none",
    rows: await measureCluster(signal),
    notes: [
      "Memory is PSS, 30 s after all checks passed; pages that several programs share are counted in parts.",
      `The host had a load of ${load.toFixed(1)} on ${String(availableParallelism())} cores before the start: above a few tenths, times say more about its other work than about the cluster.`,
    ],
  });
});
