/** Runs the tests that stand beside the code: `npm run unit [-- package …]`. */
import { compileCache, step } from "../lib/step.ts";

const packages = process.argv.slice(2);
const patterns =
  packages.length > 0
    ? packages.map((name) => `packages/${name}/src/**/*.spec.ts`)
    : ["packages/*/src/**/*.spec.ts", "scripts/**/*.spec.ts"];
await step("unit tests", process.execPath, ["--test", "--disable-warning=ExperimentalWarning", ...patterns], {
  inherit: true,
  env: compileCache,
});
