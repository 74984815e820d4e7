/**
 * The main job: a local cluster, made with defaults. Safe to repeat: a cluster that is there is started where it does not
 * run, and shown; one whose creation was cut off is made anew.
 */
import { existsSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { requireRoot } from "../lib/require-root.ts";
import { root, step } from "../lib/step.ts";

const flags = process.argv.slice(2);
const { values } = parseArgs({
  args: flags,
  options: {
    name: { type: "string", default: "talos-default" },
    state: { type: "string", default: join(homedir(), ".talos/clusters") },
  },
  strict: false,
});
const which = ["--name", String(values.name), "--state", String(values.state)];
const talosctl = join(root, "packages/talosctl/bin/talosctl.mjs");
const cluster = (title: string, ...args: string[]): Promise<void> =>
  step(`${title} cluster "${String(values.name)}"`, talosctl, ["cluster", ...args], { inherit: true });

function phase(): string | undefined {
  try {
    const text = readFileSync(join(String(values.state), String(values.name), "state.yaml"), "utf8");
    return /^phase: (\w+)$/m.exec(text)?.[1] ?? "unknown";
  } catch {
    return undefined;
  }
}

/** Puts the `kubectl` that came with the cluster's images beside the client. */
function linkKubectl(): void {
  const kubectl = join(String(values.state), String(values.name), "kubectl");
  const link = join(root, "node_modules/.bin/kubectl");
  if (!existsSync(kubectl)) return;
  rmSync(link, { force: true });
  // To the program itself: it outlives the cluster.
  symlinkSync(realpathSync(kubectl), link);
}

requireRoot("Local clusters");
await bundleTalosctl();
const found = phase();
if (found === "creating" || found === "destroying") await cluster("remove the rest of", "destroy", ...which);
if (found === "ready" || found === "unknown") await cluster("start", "start", "--install", ...which);
else await cluster("create", "create", "--install", ...flags);
linkKubectl();
console.log(`\nThe client is in node_modules/.bin:\n  export PATH="${join(root, "node_modules/.bin")}:$PATH"`);
