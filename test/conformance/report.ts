import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { formatTable } from "@talos-ts/base";
import type { TestResult } from "./ginkgo.ts";

/** Results of a run so far; a run that was interrupted goes on with what is missing. */
export interface ConformanceReport {
  /** The program and the images: results of others do not count. */
  readonly subject: string;
  readonly results: readonly TestResult[];
}

/** Reads the results of a former run of the same tests and images; others count as none. */
export async function readReport(file: string, subject: string): Promise<ConformanceReport> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const found = text === undefined ? undefined : (JSON.parse(text) as ConformanceReport);
  return found?.subject === subject ? found : { subject, results: [] };
}

/** Writes the results so far. */
export async function writeReport(file: string, report: ConformanceReport): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(report, null, 1)}\n`);
}

/** One row per area (`[sig-network]`), and the sum. */
function summarize(results: readonly TestResult[]): readonly (readonly string[])[] {
  const areas = Map.groupBy(results, ({ name }) => /^\[[\w-]+\]/.exec(name)?.[0] ?? "other");
  const row = (title: string, group: readonly TestResult[]): readonly string[] => {
    const count = (state: TestResult["state"]): string =>
      String(group.filter((result) => result.state === state).length);
    const minutes = group.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
    return [title, count("passed"), count("failed"), count("skipped"), minutes.toFixed(1)];
  };
  const rows = [...areas].sort(([left], [right]) => left.localeCompare(right)).map(([area, group]) => row(area, group));
  return [...rows, row("all", results)];
}

/** Formats the table of areas. */
export function formatSummary(results: readonly TestResult[]): string {
  return formatTable([["AREA", "PASSED", "FAILED", "SKIPPED", "MINUTES"], ...summarize(results)]);
}

/** Formats one result as a line, with the reason when it is not passed. */
export function formatResult({ name, state, seconds, message }: TestResult): string {
  const line = `${state.padEnd(7)} ${seconds.toFixed(1).padStart(6)} s  ${name}`;
  return message === undefined ? line : `${line}\n         ${message}`;
}
