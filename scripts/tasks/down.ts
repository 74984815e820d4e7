/** Removes what `up` made. */
import { join } from "node:path";
import { root, step } from "../lib/step.ts";

const talosctl = join(root, "packages/talosctl/bin/talosctl.mjs");
await step("destroy the cluster", talosctl, ["cluster", "destroy", ...process.argv.slice(2)], { inherit: true });
