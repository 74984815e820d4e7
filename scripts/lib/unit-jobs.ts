import { globSync } from "node:fs";
import type { Job } from "./run-jobs.ts";
import { compileCache, root } from "./step.ts";

/**
 * Packages whose specs share a process, because to start one for every file takes eight times as long as the tests.
 *
 * The others need processes of their own: `crypto` makes OpenSSL refuse things, which stay in its queue of errors and fail the next
 * call; `http2` measures idle times; `linux` changes namespaces and descriptors of the process.
 */
const sharing = new Set([
  "apid",
  "base",
  "cosi",
  "discovery",
  "host",
  "kubernetes",
  "machined",
  "machinery",
  "oci",
  "talosctl",
  "trustd",
]);

/**
 * Makes jobs of the tests that stand beside the code, one for each package.
 *
 * @param packages Names of packages; all of them, and the scripts, when there are none.
 */
export function unitJobs(packages: readonly string[] = []): readonly Job[] {
  const folders = packages.length > 0 ? packages.map((name) => `packages/${name}/src`) : ["packages/*/src", "scripts"];
  const specs = globSync(
    folders.map((folder) => `${folder}/**/*.spec.ts`),
    { cwd: root },
  );
  return [...Map.groupBy(specs.sort(), roomOf)].map(([room, files]) => ({
    name: `unit tests of ${room}`,
    command: process.execPath,
    // A test that hangs fails by its name, far above what any file takes on a busy machine, instead of stopping the run.
    args: [
      "--test",
      ...(sharing.has(room) ? ["--test-isolation=none"] : []),
      "--test-timeout=600000",
      "--disable-warning=ExperimentalWarning",
      ...files,
    ],
    env: compileCache,
    seconds: files.length,
  }));
}

/** Returns the package of a spec, or `scripts`. */
function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "packages" ? second : first;
}
