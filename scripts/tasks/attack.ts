/** The attack suite in full: what once killed or stalled a node, against a node of its own. `npm test` has a short form. */
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { requireRoot } from "../lib/require-root.ts";
import { step } from "../lib/step.ts";

requireRoot("Attacks on a cluster");
await bundleTalosctl();
const flags = ["--test", "--disable-warning=ExperimentalWarning", "test/attack/*.spec.ts"];
await step("attacks", process.execPath, flags, { inherit: true, env: { ATTACK: "full" } });
