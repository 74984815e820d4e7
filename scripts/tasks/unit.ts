/** Runs the tests that stand beside the code: `npm run unit [-- package …]`. */
import { compileCache, step } from "../lib/step.ts";
import { testConcurrency } from "../lib/test-concurrency.ts";

const packages = process.argv.slice(2);
const patterns =
  packages.length > 0
    ? packages.map((name) => `packages/${name}/src/**/*.spec.ts`)
    : ["packages/*/src/**/*.spec.ts", "scripts/**/*.spec.ts"];
// A test that hangs fails by its name, far above what any file takes on a busy machine, instead of stopping the run.
const flags = ["--test", testConcurrency(), "--test-timeout=600000", "--disable-warning=ExperimentalWarning"];
await step("unit tests", process.execPath, [...flags, ...patterns], {
  inherit: true,
  env: compileCache,
});
