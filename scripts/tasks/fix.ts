/** Formats and applies the safe fixes of the linter. */
import { step } from "../lib/step.ts";

await step("lint --fix", "oxlint", ["--fix", "--quiet"]);
await step("format", "oxfmt", []);
