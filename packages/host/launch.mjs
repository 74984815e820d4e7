// Runs a TypeScript program of this repository on the pinned Node, whatever Node (>= 20) was called.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Node release that runs TypeScript sources. */
const oldest = 26;

/**
 * @param {string} script URL of the calling script, which the pinned Node runs again
 * @param {string} program path of the TypeScript program, relative to the script
 */
export async function launch(script, program) {
  if (Number(process.versions.node.split(".")[0]) >= oldest) {
    hideExperimentalWarnings();
    await import(new URL(program, script).href);
    return;
  }
  const pinned = fileURLToPath(new URL(`../../node_modules/node-linux-${process.arch}/bin/node`, import.meta.url));
  const child = spawn(pinned, [fileURLToPath(script), ...process.argv.slice(2)], { stdio: "inherit" });
  // A terminal sends Ctrl-C to both; this one waits until the other has cleaned up.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (err) => {
    console.error(`error: cannot start ${pinned}: ${err.message}\nnext: npm ci`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}

function hideExperimentalWarnings() {
  const { emitWarning } = process;
  process.emitWarning = (warning, type, ...rest) => {
    const name = typeof type === "object" ? type?.type : type;
    if (name !== "ExperimentalWarning") emitWarning.call(process, warning, type, ...rest);
  };
}
