/** Bundles the client and runs its tests against the bundle: what ships is what is tested. */
import { join } from "node:path";
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { compileCache, root, step } from "../lib/step.ts";

await bundleTalosctl();
const env = { ...compileCache, TALOSCTL_UNDER_TEST: join(root, "packages/talosctl/bin/talosctl.mjs") };
const tests = ["packages/talosctl/src/commands/**/*.spec.ts", "test/bundle/*.spec.ts"];
const flags = ["--test", "--disable-warning=ExperimentalWarning"];
await step("tests of the bundled client", process.execPath, [...flags, ...tests], { inherit: true, env });
