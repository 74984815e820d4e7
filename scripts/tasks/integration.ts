/**
 * Runs suites of `test/` against real systems, two at a time: `npm run integration [-- folder | folder/suite …] [--long] [--lanes <n>]`.
 *
 * `--long` adds the tests that `npm test` leaves out for their time.
 */
import { parseArgs } from "node:util";
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { interruptible } from "../lib/interruptible.ts";
import { runJobs } from "../lib/run-jobs.ts";
import { suiteJob, suiteNames } from "../lib/suites.ts";
import { timeTable } from "../lib/time-table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: "boolean", default: false }, lanes: { type: "string", default: "2" } },
});
const names = suiteNames(positionals);
if (names.length === 0) {
  console.error(`Cannot run suites ${positionals.join(", ")}: test/ has no such folder or suite`);
  process.exit(2);
}
// Suites use the client as it ships.
await bundleTalosctl();
await interruptible(async (signal) => {
  const jobs = names.map((name) => suiteJob(name, values.long ? { TEST_LONG: "1" } : {}));
  const results = await runJobs(jobs, { signal, lanes: Number(values.lanes) });
  console.error(timeTable(results));
  if (results.some(({ ok }) => !ok) || signal.aborted) process.exitCode = 1;
});
