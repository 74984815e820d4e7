/**
 * Everything: set-up, the gate, the client as it ships, the suites against real systems, and fresh machines. Ends with a table of what
 * took how long.
 */
import { bundleJob } from "../lib/bundle-job.ts";
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { interruptible } from "../lib/interruptible.ts";
import { requireRoot } from "../lib/require-root.ts";
import { runJobs, type Job, type JobResult } from "../lib/run-jobs.ts";
import { step } from "../lib/step.ts";
import { suiteJob, suiteNames } from "../lib/suites.ts";
import { timeTable } from "../lib/time-table.ts";
import { releases } from "../fresh/releases.ts";

/** Parts that come before the suites, one after another; the first failure ends the run. */
const first = { "set-up": "setup", "the gate": "ok", "container images": "images" } as const;

const task = (name: string, ...args: readonly string[]): readonly string[] => [
  "--disable-warning=ExperimentalWarning",
  `scripts/tasks/${name}.ts`,
  ...args,
];

const freshMachines = releases.map(({ version }): Job => ({
  name: `a fresh Debian ${version}`,
  command: process.execPath,
  args: task("fresh", "--debian", version),
  seconds: 105,
}));

requireRoot("Tests of clusters");
const results: JobResult[] = [];
/** Runs a part and notes its time. */
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  results.push({ name, ok: true, seconds: (performance.now() - started) / 1000 });
  return result;
}
for (const [title, name] of Object.entries(first))
  await timed(title, () => step(title, process.execPath, task(name), { inherit: true }));
// Once, before anything uses it: to make it anew would take it from under the suites.
await bundleTalosctl();
await interruptible(async (signal) => {
  const jobs = [...suiteNames([]).map((name) => suiteJob(name)), bundleJob(), ...freshMachines];
  const done = await timed("suites, bundled client and fresh machines, together", () => runJobs(jobs, { signal }));
  console.error(timeTable([...results, ...done]));
  if (done.some(({ ok }) => !ok) || signal.aborted) process.exitCode = 1;
});
