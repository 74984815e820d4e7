import type { MemberReport } from "./member-report.ts";

const ids = ["a", "b", "c"].map((letter) => letter.repeat(16));

/** A stopped member of a cluster of three, which has read everything, with other facts where given. */
export function memberReport(index: 1 | 2 | 3, facts: Partial<MemberReport> = {}): MemberReport {
  return {
    node: `10.5.0.${String(index + 1)}`,
    state: "stopped",
    error: "",
    quorum: false,
    member: ids[index - 1] ?? "",
    cluster: "f".repeat(16),
    name: `cp-${String(index)}`,
    term: 4,
    appliedIndex: 1000,
    revision: 900,
    compactRevision: 500,
    hash: "0badcafe",
    keys: 70,
    dbSize: 4096,
    uncommittedEntries: 0,
    members: ids.map((id, at) => ({ id, name: `cp-${String(at + 1)}`, learner: false })),
    service: "finished: Service finished successfully",
    ...facts,
  };
}

/** A node without a member that can be read. */
export function unknownMember(index: 1 | 2 | 3, state: string, error = ""): MemberReport {
  return memberReport(index, { state, error, member: "", cluster: "", name: "", revision: 0, hash: "", members: [] });
}
