/** Measures what faults cost a cluster of three control planes, from a run of `npm run chaos`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { interruptible } from "../scripts/lib/interruptible.ts";
import { drawBars } from "./faults/bars.ts";
import { kindsOf, measures, type FaultRun } from "./faults/kinds.ts";
import { publish } from "./lib/publish.ts";
import type { BenchRow } from "./lib/report.ts";

/** Of `npm run chaos`; how many times each kind comes is this number divided by that of kinds. */
const faultCount = Number(process.env["BENCH_FAULTS"] ?? 45);
const picture = "faults.svg";
const root = join(import.meta.dirname, "..");

/** Runs the fault suite, or takes the results of runs that were made before: files, separated by commas, in `CHAOS_RESULTS`. */
async function faultResults(signal: AbortSignal): Promise<FaultRun> {
  const made = process.env["CHAOS_RESULTS"];
  if (made !== undefined) {
    const runs = await Promise.all(made.split(",").map(readRun));
    return { results: runs.flatMap(({ results }) => results), load: Math.max(...runs.map(({ load }) => load)) };
  }
  const folder = await mkdtemp(join(tmpdir(), "talos-bench-"));
  try {
    const file = join(folder, "results.json");
    const words = [join(root, "test/chaos/main.ts"), "--faults", String(faultCount), "--seed", "1", "--output", file];
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...words], { stdio: "inherit" });
    signal.addEventListener("abort", () => void child.kill("SIGINT"), { once: true });
    const [code] = (await once(child, "close")) as [number | null];
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`npm run chaos ended with ${String(code)}`);
    return await readRun(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readRun(file: string): Promise<FaultRun> {
  return JSON.parse(await readFile(file, "utf8")) as FaultRun;
}

const less = (name: string, unit: string, ours: number): BenchRow => ({ name, unit, better: "less", ours });

await interruptible(async (signal) => {
  const rows: BenchRow[] = [];
  const { results, load } = await faultResults(signal);
  const kinds = kindsOf(results);
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
    title: "Faults of three control planes",
    peer: "none",
    rows,
    notes: [
      `![what faults cost](${picture})`,
      "Faults are those of [fault tests](fault-tests.md), on three control planes. No etcd, no Kubernetes API: longest time without an acknowledged operation of any of four clients of etcd (which change the member after a failure) and three of Kubernetes (through the load balancer), from the fault until all is well; time limits of these clients, 3 and 5 s, are part of it.",
      "Until healthy: from the end of the fault, so that nodes that were off boot in it.",
      `The host had a load of ${load.toFixed(1)} on ${String(availableParallelism())} cores before the start: above a few tenths, times say more about its other work than about the cluster.`,
    ],
  });
});
