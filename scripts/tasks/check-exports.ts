/** Fails when a file exports a value that no other file uses, or that only specs use. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { leaves, scope } from "../layers.ts";
import { isTestPath } from "../lib/dependencies.ts";
import { root } from "../lib/step.ts";
import { resolveRelative, unusedExports } from "../lib/unused-exports.ts";

/** Values that only specs of this repository use, and the reason why they exist all the same. */
const kept: Readonly<Record<string, string>> = {
  createPersistedState: "a state on disk is a part of the COSI runtime, for programs that outlive their process",
  releaseMemory: "its spec imports it in a process of its own",
  restartNode: "suites cut the power of a node",
};

const isSpec = (path: string): boolean => path.endsWith(".spec.ts");
/** Conformance suites are exported for the specs of every implementation. */
const isTest = (path: string): boolean => isTestPath(path) || /^(?:test|bench)\/|\/conformance\//.test(path);

const patterns = ["packages", "scripts", ...leaves].map((folder) => `${folder}/**/*.{ts,mjs}`);
const skipped = /(?:^|\/)(?:node_modules|dist|testdata)\/|^packages\/proto\/|\.d\.ts$/;
const files = new Map(
  globSync(patterns, { cwd: root, exclude: (path) => path.endsWith("node_modules") })
    .filter((path) => !skipped.test(path))
    .sort()
    .map((path) => [path, readFileSync(join(root, path), "utf8")]),
);

/** Files behind the entrances of each package, by specifier. */
const entrances = new Map<string, string>();
for (const path of globSync("packages/*/package.json", { cwd: root })) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), "utf8")) as {
    readonly name: string;
    readonly exports?: Readonly<Record<string, string | object>>;
  };
  const folder = path.slice(0, -"/package.json".length);
  for (const [entrance, target] of Object.entries(exports)) {
    if (typeof target !== "string") continue;
    const [before = "", after = ""] = target.split("*");
    const found = target.includes("*")
      ? globSync(join(folder, target.replace("*", "**")), { cwd: root })
      : [join(folder, target)];
    for (const file of found) {
      const part = file.slice(join(folder, before).length, after === "" ? undefined : -after.length);
      entrances.set(join(name, target.includes("*") ? entrance.replace("*", part) : entrance), file);
    }
  }
}

const resolve = (specifier: string, from: string): string | undefined =>
  specifier.startsWith(`${scope}/`) ? entrances.get(specifier) : resolveRelative(specifier, from);
const problems = unusedExports(files, resolve, isSpec, isTest);
const reported = problems.filter(({ name }) => kept[name] === undefined);
for (const { place, name, problem } of reported) {
  console.error(`${place} ${name}: ${problem === "unused" ? "no other file uses it" : "only specs use it"}`);
}
const stale = Object.keys(kept).filter((kept) => !problems.some(({ name }) => name === kept));
for (const name of stale) console.error(`scripts/tasks/check-exports.ts keeps ${name}, which has a user or is gone`);
if (reported.length + stale.length > 0) process.exitCode = 1;
