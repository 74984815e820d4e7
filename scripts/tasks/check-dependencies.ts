/** Fails when a package declares a dependency that it does not import, or imports one that it does not declare. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { layers, leaves } from "../layers.ts";
import { dependencyProblems, isTestPath, type Manifest, type SourceFile } from "../lib/dependencies.ts";
import { root } from "../lib/step.ts";

const source = /\.(?:[cm]?js|ts)$/;
const skipped = /(?:^|\/)(?:node_modules|dist|testdata)\//;

function sourceFiles(folder: string, isTest: (path: string) => boolean): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && source.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !skipped.test(relative(folder, path)))
    .map((path) => ({ isTest: isTest(relative(folder, path)), text: readFileSync(path, "utf8") }));
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

const shared = new Set(Object.keys(readManifest(root).devDependencies ?? {}));
const check = (folder: string, isTest: (path: string) => boolean): string[] =>
  dependencyProblems(readManifest(folder), sourceFiles(folder, isTest), shared);
const problems = [
  ...Object.keys(layers).flatMap((name) => check(join(root, "packages", name), isTestPath)),
  // Nothing of these ships, so there is no difference to make between specs and other files.
  ...leaves.flatMap((name) => check(join(root, name), () => false)),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error("\nAfter changing a package.json: npm install --package-lock-only --ignore-scripts");
  process.exitCode = 1;
}
