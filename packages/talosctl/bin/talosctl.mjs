#!/usr/bin/env node
// Starts talosctl from its bundle (built by `npm run up` and `npm run setup`), or from the sources where there is none, on the pinned
// Node whatever Node started this.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bundle = here("../dist/main.mjs");
const program = existsSync(bundle) ? bundle : here("../src/main.ts");
const pinned = here(`../../../node_modules/node-linux-${process.arch}/bin/node`);

if (Number(process.versions.node.split(".")[0]) >= 26) {
  const { emitWarning } = process;
  process.emitWarning = (warning, type, ...rest) => {
    const name = typeof type === "object" ? type?.type : type;
    if (name !== "ExperimentalWarning") emitWarning.call(process, warning, type, ...rest);
  };
  await import(program);
} else {
  const child = spawnSync(pinned, ["--disable-warning=ExperimentalWarning", program, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  process.exit(child.status ?? 1);
}
