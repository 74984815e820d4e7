/** Compares the compiled `api/` with the wire facts kept beside the project, where they are present. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { root, step } from "../lib/step.ts";

const check = join(root, "../shared/wire/check.mjs");
if (existsSync(check)) {
  const image = join(root, ".cache/api.json");
  await mkdir(join(root, ".cache"), { recursive: true });
  await step("compile api/", "buf", ["build", "--exclude-source-info", "-o", image]);
  await step("compare with the wire facts", process.execPath, [check, image], { inherit: true });
} else {
  console.log("Wire facts are not present beside this clone: nothing to compare");
}
