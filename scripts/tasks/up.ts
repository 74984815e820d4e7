/** The main job: a local cluster, made with defaults. Safe to repeat: a cluster that is there is shown. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { step } from "../lib/step.ts";

const name = "talos-default";
const there = existsSync(join(homedir(), ".talos/clusters", name, "state.yaml"));
const flags = ["--disable-warning=ExperimentalWarning", "packages/talosctl/src/main.ts", "cluster"];
const args = there ? ["show", "--name", name] : ["create", "--name", name, ...process.argv.slice(2)];
await step(
  there ? `cluster "${name}" is already there` : `create cluster "${name}"`,
  process.execPath,
  [...flags, ...args],
  {
    inherit: true,
  },
);
