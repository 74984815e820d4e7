import { join } from "node:path";
import type { Job } from "./run-jobs.ts";
import { compileCache, root } from "./step.ts";
import { testConcurrency } from "./test-concurrency.ts";

/** Makes the job that runs the tests of the client against its bundle, which must be there. */
export function bundleJob(concurrency = testConcurrency()): Job {
  const tests = ["packages/talosctl/src/commands/**/*.spec.ts", "test/bundle/*.spec.ts"];
  return {
    name: "the client as it ships",
    command: process.execPath,
    // A test that hangs fails by its name, far above what any file takes on a busy machine, instead of stopping the run.
    args: ["--test", concurrency, "--test-timeout=600000", "--disable-warning=ExperimentalWarning", ...tests],
    env: { ...compileCache, TALOSCTL_UNDER_TEST: join(root, "packages/talosctl/bin/talosctl.mjs") },
    seconds: 90,
  };
}
