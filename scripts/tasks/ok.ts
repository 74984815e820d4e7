/** The gate: generated files are current, code is formatted, linted, typed, and its unit tests pass. */
import { execFileSync } from "node:child_process";
import { passJobs, type Job } from "../lib/run-jobs.ts";
import { root, step } from "../lib/step.ts";
import { suiteJob, suiteNames } from "../lib/suites.ts";
import { unitJobs } from "../lib/unit-jobs.ts";

/** Paths that `npm run generate` writes; what happens elsewhere meanwhile is not its doing. */
const generated = ["packages/proto/src/gen", "docs/reference", ":(glob)**/tsconfig.json"];

/** Returns what git sees as changed there, content included, so that work in progress does not count as dirt. */
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
const script = (name: string): readonly [string, ...string[]] => [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  `scripts/tasks/${name}.ts`,
];
/** Checks of files, which do not wait for each other. */
const checks: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  "type-check": ["tsc", "-b"],
  lint: ["oxlint", "--deny-warnings"],
  "used exports": script("check-exports"),
  "wire facts": script("check-wire"),
  "documented exports": script("check-docs"),
  dependencies: script("check-dependencies"),
  format: ["oxfmt", "--check"],
};
await passJobs(Object.entries(checks).map(([name, [command, ...args]]): Job => ({ name, command, args, quiet: true })));
await passJobs([...unitJobs(), ...suiteNames(["docs"]).map((name) => suiteJob(name))]);
