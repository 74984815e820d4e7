#!/usr/bin/env node
// Starts talosctl from its bundle (built by `npm run up`), or from the sources where there is none, on the pinned
// Node whatever Node started this. Loads nothing else: this is the first thing that every command waits for.
const program = new URL("../dist/main.mjs", import.meta.url);
const sources = new URL("../src/main.ts", import.meta.url);

if (Number(process.versions.node.split(".")[0]) >= 26) {
  const { emitWarning } = process;
  process.emitWarning = (warning, type, ...rest) => {
    const name = typeof type === "object" ? type?.type : type;
    if (name !== "ExperimentalWarning") emitWarning.call(process, warning, type, ...rest);
  };
  await import(program.href).catch((err) => {
    if (err.code !== "ERR_MODULE_NOT_FOUND" || err.url !== program.href) throw err;
    return import(sources.href);
  });
} else {
  const { spawn } = await import("node:child_process");
  const { fileURLToPath } = await import("node:url");
  const pinned = new URL(`../../../node_modules/node-linux-${process.arch}/bin/node`, import.meta.url);
  const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(fileURLToPath(pinned), words, { stdio: "inherit" });
  // A terminal sends Ctrl-C to both; this one waits until the other has cleaned up.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (err) => {
    console.error(`error: cannot start ${fileURLToPath(pinned)}: ${err.message}\nnext: npm ci`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}
