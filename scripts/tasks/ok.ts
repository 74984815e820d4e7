/** The gate: generated files are current, code is formatted, linted, typed, and its unit tests pass. */
import { execFileSync } from "node:child_process";
import { compileCache, root, step } from "../lib/step.ts";
import { testConcurrency } from "../lib/test-concurrency.ts";

/** Paths that `npm run generate` writes; what happens elsewhere meanwhile is not its doing. */
const generated = ["packages/proto/src/gen", "docs/reference", ":(glob)**/tsconfig.json"];

/** What git sees as changed there, content included, so that work in progress does not count as dirt. */
function snapshot(): string {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 30 } as const;
  const diff = execFileSync("git", ["diff", "HEAD", "--binary", "--", ...generated], options);
  return diff + execFileSync("git", ["status", "--porcelain", "--", ...generated], options);
}

const before = snapshot();
await step("generate", process.execPath, ["scripts/tasks/generate.ts"]);
if (snapshot() !== before) {
  console.error("Generated files were not current: review and commit what `npm run generate` wrote");
  process.exit(1);
}
await step("wire facts", process.execPath, ["scripts/tasks/check-wire.ts"]);
await step("dependencies", process.execPath, ["scripts/tasks/check-dependencies.ts"]);
await step("documented exports", process.execPath, ["scripts/tasks/check-docs.ts"]);
await step("used exports", process.execPath, ["scripts/tasks/check-exports.ts"]);
await step("format", "oxfmt", ["--check"]);
await step("lint", "oxlint", ["--deny-warnings"]);
await step("type-check", "tsc", ["-b"]);
await step("unit tests", process.execPath, ["scripts/tasks/unit.ts"], { inherit: true });
const docs = ["--test", testConcurrency(), "--disable-warning=ExperimentalWarning", "test/docs/*.spec.ts"];
await step("documentation", process.execPath, docs, { inherit: true, env: compileCache });
