import { globSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "./run-jobs.ts";
import { compileCache, root } from "./step.ts";

/** Folders of `test/` whose suites `npm test` runs against real systems, clusters among them. */
const defaultFolders = ["attack", "chaos", "conformance", "integration", "interop", "recipes"];

/** Time of suites on an idle machine with two cores, in seconds. What is not listed takes less than ten. */
const seconds: Readonly<Record<string, number>> = {
  "integration/kubernetes": 420,
  "chaos/chaos": 200,
  "integration/etcd": 160,
  "integration/faults": 180,
  "attack/attack": 100,
  "integration/lifecycle": 90,
  "integration/lifecycle-maintenance": 80,
  "integration/cluster": 60,
  "recipes/recipes": 45,
  "integration/node-images": 30,
  "integration/provision-restart": 30,
  "integration/etcd-arguments": 30,
  "integration/imager": 25,
  "integration/cluster-restart": 20,
  "integration/discovery": 20,
  "attack/kill": 20,
};

/** Suites that want the machine for themselves, by the reason. */
const alone: Readonly<Record<string, string>> = {
  "attack/attack": "counts calls that are answered too late",
};

/** Names every suite of some folders of `test/`, or one by its own name, as `integration/etcd`. */
export function suiteNames(wanted: readonly string[]): readonly string[] {
  const patterns = (wanted.length > 0 ? wanted : defaultFolders).map((name) =>
    name.includes("/") ? `${name}.spec.ts` : `${name}/*.spec.ts`,
  );
  return globSync(patterns, { cwd: join(root, "test") }).map((file) => file.slice(0, -".spec.ts".length));
}

/** Makes a job of a suite: a run of its file with a process of its own. */
export function suiteJob(name: string, env: NodeJS.ProcessEnv = {}): Job {
  const flags = ["--test", "--test-timeout=1500000", "--disable-warning=ExperimentalWarning"];
  return {
    name,
    command: process.execPath,
    args: [...flags, `test/${name}.spec.ts`],
    env: { ...compileCache, ...env },
    seconds: seconds[name] ?? 5,
    alone: name in alone,
    // Loaded only here: the gate starts without the provisioner.
    record: async () => (await import("./suite-clusters.ts")).createClusterRecord(),
  };
}
