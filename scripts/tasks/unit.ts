/** Runs the tests that stand beside the code: `npm run unit [-- package …]`. */
import { passJobs } from "../lib/run-jobs.ts";
import { unitJobs } from "../lib/unit-jobs.ts";

await passJobs(unitJobs(process.argv.slice(2)));
