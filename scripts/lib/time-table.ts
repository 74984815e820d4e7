import type { JobResult } from "./run-jobs.ts";

/** Shows what took how long, the longest first, as lines of a Markdown table. */
export function timeTable(results: readonly JobResult[]): string {
  const rows = results
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ name, seconds, ok }) => `| ${name} | ${seconds.toFixed(0)} | ${ok ? "ok" : "FAILED"} |`);
  return ["| part | seconds | result |", "|---|---|---|", ...rows].join("\n");
}
