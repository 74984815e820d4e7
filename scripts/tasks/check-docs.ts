/** Fails when a library exports a symbol without a documentation comment. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/step.ts";
import { undocumentedExports } from "../lib/undocumented.ts";

/** Packages that others build on; what daemons and programs export is for themselves. */
const libraries = ["base", "linux", "host", "http2", "grpc", "cosi", "crypto", "machinery"] as const;

/** Helpers of tests are not part of a library. */
const skipped = /\/testing\b/;

function entrancesOf(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  return Object.values(exports).flatMap((path) =>
    path.includes("*") ? globSync(path.replace("*", "**"), { cwd: folder }) : [path],
  );
}

const problems = libraries.flatMap((name) => {
  const folder = join(root, "packages", name);
  const entrances = entrancesOf(folder).filter((path) => !skipped.test(path));
  return undocumentedExports(folder, entrances).map((each) => `packages/${name}/${each.place} ${each.name}`);
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`\n${String(problems.length)} exported symbols have no documentation comment`);
  process.exitCode = 1;
}
