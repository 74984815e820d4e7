/** The fault suite in full: `npm run chaos -- --help` lists faults and flags. `npm test` has a short form. */
import { join } from "node:path";
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { requireRoot } from "../lib/require-root.ts";
import { root, step } from "../lib/step.ts";

const flags = process.argv.slice(2);
const main = ["--disable-warning=ExperimentalWarning", join(root, "test/chaos/main.ts"), ...flags];
if (!flags.some((flag) => ["--help", "--list"].includes(flag))) {
  requireRoot("Faults of a cluster");
  await bundleTalosctl();
}
await step("faults", process.execPath, main, { inherit: true });
