/**
 * Measures against peers: `npm run bench [-- name …] [--json] [--write]`.
 *
 * `--json` prints the numbers for programs, `--write` puts the tables into `docs/benchmarks.md`.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, step } from "../lib/step.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});

const known = (await readdir(join(root, "bench")))
  .filter((file) => file.endsWith(".ts") && file !== "index.ts")
  .map((file) => file.replace(/\.ts$/, ""));
const names = positionals.length > 0 ? positionals : known;
for (const name of names) {
  if (known.includes(name)) continue;
  console.error(`Cannot run benchmark "${name}": expected one of ${known.join(", ")}`);
  process.exit(2);
}

const flags = [...(values.json ? ["--json"] : []), ...(values.write ? ["--write"] : [])];
for (const name of names) {
  const args = ["--disable-warning=ExperimentalWarning", join(root, "bench", `${name}.ts`), ...flags];
  await step(`benchmark ${name}`, process.execPath, args, { inherit: true });
}
