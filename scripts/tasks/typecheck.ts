/** Type-checks every package in the order of its references. */
import { step } from "../lib/step.ts";

await step("type-check", "tsc", ["-b", ...process.argv.slice(2)]);
