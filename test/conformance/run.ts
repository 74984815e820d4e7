/**
 * Runs conformance tests of Kubernetes on a cluster of one control plane node and one worker:
 * `npm run conformance [-- --focus sig-network] [--parallel 2] [--again] [--keep]`.
 *
 * The tests and their images are built once, from the same modules as Kubernetes. A run that was interrupted goes on where it was;
 * `--again` starts anew, `--keep` leaves the cluster.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildConformance } from "@talos-ts/imager";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { imageReferences, kubernetesTag } from "@talos-ts/provision";
import { bundleTalosctl } from "../../scripts/lib/bundle-talosctl.ts";
import { lineProgress } from "../../scripts/lib/line-progress.ts";
import { requireRoot } from "../../scripts/lib/require-root.ts";
import { root, step } from "../../scripts/lib/step.ts";
import { listTests, runTests, type GinkgoOptions, type TestResult } from "./ginkgo.ts";
import { formatResult, formatSummary, readReport, writeReport } from "./report.ts";
import { batches, selectTests } from "./selection.ts";

const { values } = parseArgs({
  options: {
    focus: { type: "string" },
    parallel: { type: "string", default: "2" },
    again: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    name: { type: "string", default: "conformance" },
    subnet: { type: "string", default: "10.8.0.0/24" },
  },
});
/** Tests that one process runs: starting it takes seconds, and what it has done is kept when it ends. */
const batchSize = 8;
const file = join(root, ".cache/conformance/report.json");
const talosctl = join(root, "packages/talosctl/bin/talosctl.mjs");

requireRoot("Conformance tests");
const version = defaultKubernetesVersion;
const built = await buildConformance(
  { references: imageReferences(version), kubernetes: kubernetesTag(version) },
  lineProgress,
);
const home = await mkdtemp(join(tmpdir(), "conformance-home-"));
const options = { program: built.e2e, kubectl: built.kubectl, kubeconfig: join(home, ".kube/config") };
const focus = values.focus === undefined ? undefined : new RegExp(values.focus);
const { selected, left } = selectTests(await listTests(options), focus);
const subject = `${built.e2e} ${built.layout}`;
let { results } = values.again ? { results: [] } : await readReport(file, subject);
const settled = new Set(results.filter(({ state }) => state !== "failed").map(({ name }) => name));
const due = selected.filter((name) => !settled.has(name));
const counts = [selected.length, left.size, due.length].map(String);
console.log(`${counts[0] ?? ""} tests, ${counts[1] ?? ""} left out, ${counts[2] ?? ""} to run`);

if (due.length > 0) await onCluster(() => runAll(due, options));
const wanted = new Set(selected);
const chosen = results.filter(({ name }) => wanted.has(name));
console.log(`\n${formatSummary(chosen)}\nreport: ${file}`);
if (chosen.some(({ state }) => state === "failed")) process.exitCode = 1;
if (!values.keep) await rm(home, { recursive: true, force: true });

async function onCluster(work: () => Promise<void>): Promise<void> {
  await bundleTalosctl();
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const env = { XDG_CACHE_HOME: cache, HOME: home };
  const which = ["--name", values.name, "--state", join(home, ".talos/clusters")];
  const cluster = (...args: string[]): Promise<void> =>
    step(`cluster ${args[0] ?? ""}`, talosctl, ["cluster", ...args, ...which], { inherit: true, env });
  const patch = JSON.stringify({ cluster: { allowSchedulingOnControlPlanes: true } });
  const create = ["--subnet", values.subnet, "--image-cache-path", built.layout, "--config-patch", patch];
  await cluster("create", ...create, "--install");
  try {
    await work();
  } finally {
    if (values.keep) console.log(`the cluster stays: HOME=${home} ${talosctl} cluster show ${which.join(" ")}`);
    else await cluster("destroy");
  }
}

/** Runs tests in batches, as many at once as wished; what ended is kept before the next batch begins. */
async function runAll(names: readonly string[], ginkgo: GinkgoOptions): Promise<void> {
  const queue = [...batches(names, batchSize)];
  const work = async (): Promise<void> => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
      await record(await runTests(ginkgo, batch));
    }
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, work));
}

async function record(ended: readonly TestResult[]): Promise<void> {
  const names = new Set(ended.map(({ name }) => name));
  results = [...results.filter(({ name }) => !names.has(name)), ...ended];
  await writeReport(file, { subject, results });
  for (const result of ended) console.log(formatResult(result));
  const passed = results.filter(({ state }) => state === "passed").length;
  console.log(`  ${String(results.length)} of ${String(selected.length)} done, ${String(passed)} passed`);
}
