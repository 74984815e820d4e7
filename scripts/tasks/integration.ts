/** Runs the suites of `test/` against real systems, one file at a time. */
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { step } from "../lib/step.ts";

const suites = process.argv.slice(2);
const patterns = (suites.length > 0 ? suites : ["recipes", "interop", "integration", "attack", "chaos"]).map(
  (name) => `test/${name}/*.spec.ts`,
);
// Suites use the client as it ships.
await bundleTalosctl();
const flags = ["--test", "--test-concurrency=1", "--test-timeout=1500000", "--disable-warning=ExperimentalWarning"];
await step("suites", process.execPath, [...flags, ...patterns], { inherit: true });
