/** The main job: a local cluster, made with defaults. Safe to repeat: a cluster that is there is shown. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { root, step } from "../lib/step.ts";

const name = "talos-default";
const talosctl = join(root, "packages/talosctl/bin/talosctl.mjs");

await bundleTalosctl();
if (existsSync(join(homedir(), ".talos/clusters", name, "state.yaml"))) {
  await step(`cluster "${name}" is already there`, talosctl, ["cluster", "show", "--name", name], { inherit: true });
} else {
  await step(`create cluster "${name}"`, talosctl, ["cluster", "create", ...process.argv.slice(2)], { inherit: true });
}
console.log(`\nThe client is in node_modules/.bin:\n  export PATH="${join(root, "node_modules/.bin")}:$PATH"`);
