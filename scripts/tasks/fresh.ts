/**
 * Runs the commands of the README on minimal Debian machines that have nothing but git and Node.js:
 * `npm run fresh [-- --debian 12|13] [--cold] [--timeout <minutes>]`.
 *
 * `--cold` starts with empty caches; the time limit counts for each release (default 30).
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runFreshMachine } from "../fresh/fresh-machine.ts";
import { releases } from "../fresh/releases.ts";
import { requireRoot } from "../lib/require-root.ts";
import { root, step } from "../lib/step.ts";

const { values } = parseArgs({
  options: {
    debian: { type: "string", multiple: true },
    cold: { type: "boolean", default: false },
    timeout: { type: "string", default: "30" },
  },
});
const wanted = values.debian ?? releases.map(({ version }) => version);
const unknown = wanted.find((version) => !releases.some((release) => release.version === version));
if (unknown !== undefined) {
  console.error(`Cannot test Debian "${unknown}": expected ${releases.map(({ version }) => version).join(" or ")}`);
  process.exit(2);
}
requireRoot("Fresh machines");
await step("set-up", process.execPath, ["scripts/tasks/setup.ts"]);
if (execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "")
  console.error("Uncommitted changes are not tested: a fresh machine clones HEAD");

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () => interrupted.abort(new Error(`interrupted by ${name}`)));

const cacheRoot = values.cold ? await mkdtemp("/var/tmp/talos-ts-cold-") : undefined;
try {
  for (const release of releases.filter(({ version }) => wanted.includes(version))) {
    const timeout = AbortSignal.timeout(Number(values.timeout) * 60_000);
    const signal = AbortSignal.any([interrupted.signal, timeout]);
    await runFreshMachine(release, { signal, ...(cacheRoot !== undefined && { cacheRoot }) });
  }
} catch (err) {
  console.error(err instanceof Error ? err.message : err);
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
} finally {
  if (cacheRoot !== undefined) await rm(cacheRoot, { recursive: true, force: true });
}
