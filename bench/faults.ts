/**
 * High availability in numbers: a cluster of three control planes and two workers from nothing to Ready, its memory at rest, and what
 * faults cost, from a run of `npm run chaos` on three control planes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { planCluster } from "@talos-ts/provision";
import { interruptible } from "../scripts/lib/interruptible.ts";
import { createBenchClient } from "./cluster/client.ts";
import { componentMemory } from "./cluster/component-memory.ts";
import { watchMilestones } from "./cluster/milestones.ts";
import { drawBars } from "./faults/bars.ts";
import { kindsOf, measures, type FaultTimes } from "./faults/kinds.ts";
import { publish } from "./lib/publish.ts";
import type { BenchRow } from "./lib/report.ts";
import { mebibyte } from "./node/measures.ts";

const request = {
  name: "bench-faults",
  subnet: "10.7.0.0/24",
  controlPlanes: 3,
  workers: 2,
  kubernetes: true,
} as const;
const idleMs = 30_000;
/** Of `npm run chaos`; how many times each kind comes is this number divided by that of kinds. */
const faultCount = Number(process.env["BENCH_FAULTS"] ?? 45);
const picture = "faults.svg";
const root = join(import.meta.dirname, "..");

/** Creates the large cluster, and destroys it. */
async function measureCluster(signal: AbortSignal): Promise<readonly BenchRow[]> {
  await using client = await createBenchClient(signal);
  const plan = planCluster(request, join(client.home, ".talos/clusters"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => void (await client.run("cluster", "destroy", "--name", request.name).catch(() => "")));
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
    less("3 + 2: create → all nodes Ready", "s", ((milestones.get("nodes ready") ?? NaN) - started) / 1000),
    less("3 + 2: create → all checks passed", "s", healthy / 1000),
  ];
  let whole = 0;
  for (const node of plan.nodes) {
    const memory = [...(await componentMemory(plan, node)).values()].reduce((sum, bytes) => sum + bytes, 0);
    whole += memory;
    rows.push(less(`3 + 2: memory of ${node.name.replace(`${request.name}-`, "")} at rest`, "MiB", memory / mebibyte));
  }
  return [...rows, less("3 + 2: memory of all nodes at rest", "MiB", whole / mebibyte)];
}

/** Runs the fault suite, or takes the results of runs that were made before: files, separated by commas, in `CHAOS_RESULTS`. */
async function faultResults(signal: AbortSignal): Promise<readonly FaultTimes[]> {
  const made = process.env["CHAOS_RESULTS"];
  if (made !== undefined) return (await Promise.all(made.split(",").map(readResults))).flat();
  const folder = await mkdtemp(join(tmpdir(), "talos-bench-"));
  try {
    const file = join(folder, "results.json");
    const words = [join(root, "test/chaos/main.ts"), "--faults", String(faultCount), "--seed", "1", "--output", file];
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...words], { stdio: "inherit" });
    signal.addEventListener("abort", () => void child.kill("SIGINT"), { once: true });
    const [code] = (await once(child, "close")) as [number | null];
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`npm run chaos ended with ${String(code)}`);
    return await readResults(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readResults(file: string): Promise<readonly FaultTimes[]> {
  return (JSON.parse(await readFile(file, "utf8")) as { readonly results: readonly FaultTimes[] }).results;
}

const less = (name: string, unit: string, ours: number): BenchRow => ({ name, unit, better: "less", ours });

await interruptible(async (signal) => {
  const load = loadavg()[0] ?? 0;
  const rows = [...(await measureCluster(signal))];
  const kinds = kindsOf(await faultResults(signal));
  for (const { name, times } of kinds) {
    for (const [what, { p50, max }] of Object.entries(times)) {
      rows.push(less(`${name}: ${what}, p50`, "s", p50), less(`${name}: ${what}, max`, "s", max));
    }
  }
  if (process.argv.includes("--write")) {
    const groups = kinds.map(({ name, count, times }) => ({
      name: `${name} (${String(count)})`,
      values: Object.values(times),
    }));
    const title = "Faults of three control planes: median (bar) and longest (line)";
    await writeFile(join(root, "docs", picture), drawBars(title, Object.keys(measures), groups));
  }
  await publish("faults", {
    title: "High availability",
    peer: "none",
    rows,
    notes: [
      `![what faults cost](${picture})`,
      "3 + 2: three control planes and two workers on one machine; memory is PSS, 30 s after all checks passed.",
      "Faults are those of [fault tests](fault-tests.md), on three control planes. No etcd, no Kubernetes API: longest time without an acknowledged operation of any of four clients of etcd (which change the member after a failure) and three of Kubernetes (through the load balancer), from the fault until all is well; time limits of these clients, 3 and 5 s, are part of it.",
      "Until healthy: from the end of the fault, so that nodes that were off boot in it.",
      `The host had a load of ${load.toFixed(1)} on ${String(availableParallelism())} cores before the start: above a few tenths, times say more about its other work than about the cluster.`,
    ],
  });
});
