import type { Invocation } from "../command.ts";
import { printRecords, type Column } from "../output/records.ts";
import { textOption } from "../values.ts";
import type { Assessment } from "./assess.ts";
import type { MemberReport } from "./member-report.ts";

const known = (report: MemberReport, value: string | number): string => (report.member === "" ? "-" : String(value));

const columns: readonly Column<MemberReport>[] = [
  ["NODE", ({ node }) => node],
  ["STATE", ({ state, quorum }) => (state === "running" && !quorum ? "running, no quorum" : state)],
  ["MEMBER", (report) => known(report, report.member)],
  ["NAME", (report) => known(report, report.name)],
  ["TERM", (report) => known(report, report.term)],
  ["INDEX", (report) => known(report, report.appliedIndex)],
  ["REVISION", (report) => known(report, report.revision)],
  ["KEYS", (report) => known(report, report.keys)],
  ["HASH", (report) => known(report, report.hash)],
  ["ERROR", ({ error }) => error],
];

/** Prints what was read of all members; for programs together with what is proposed. */
export async function printSurvey(
  invocation: Invocation,
  reports: readonly MemberReport[],
  proposal: Assessment | undefined,
): Promise<void> {
  const survey = { members: reports, ...(proposal !== undefined && { proposal: summary(proposal) }) };
  const format = textOption(invocation, "output") ?? "table";
  if (format === "table") await printRecords(invocation, columns, reports);
  else if (format === "json") invocation.io.out(`${JSON.stringify(survey, undefined, 2)}\n`);
  else invocation.io.out((await import("../output/yaml.ts")).formatYaml(survey));
}

/** The survivor by its node: all else about it is among the members. */
function summary(proposal: Assessment): object {
  if (proposal.kind !== "restore") return proposal;
  const { survivor, ...rest } = proposal;
  return { ...rest, survivor: survivor.node };
}
