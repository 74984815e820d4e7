import { formatMemberId } from "@talos-ts/machinery/etcd";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { humanBytes } from "../../output/humanize.ts";
import { printRecords, recordFormatOption, type Column } from "../../output/records.ts";
import { openSession } from "../../session/session.ts";

interface Status {
  readonly node: string;
  readonly member: string;
  readonly dbSize: number;
  readonly dbSizeInUse: number;
  readonly leader: string;
  readonly raftIndex: number;
  readonly raftTerm: number;
  readonly raftAppliedIndex: number;
  readonly learner: boolean;
  readonly protocol: string;
  readonly storage: string;
  readonly errors: readonly string[];
}

const columns: readonly Column<Status>[] = [
  ["NODE", ({ node }) => node],
  ["MEMBER", ({ member }) => member],
  ["DB SIZE", ({ dbSize }) => humanBytes(dbSize)],
  ["IN USE", ({ dbSize, dbSizeInUse }) => `${humanBytes(dbSizeInUse)} (${percent(dbSizeInUse, dbSize)}%)`],
  ["LEADER", ({ leader }) => leader],
  ["RAFT INDEX", ({ raftIndex }) => String(raftIndex)],
  ["RAFT TERM", ({ raftTerm }) => String(raftTerm)],
  ["RAFT APPLIED INDEX", ({ raftAppliedIndex }) => String(raftAppliedIndex)],
  ["LEARNER", ({ learner }) => String(learner)],
  ["PROTOCOL", ({ protocol }) => protocol],
  ["STORAGE", ({ storage }) => storage],
  ["ERRORS", ({ errors }) => errors.join(", ")],
];

export const command: CommandDefinition = {
  description: "Shows the status of the member on each node; give several nodes to see all members. Needs no quorum.",
  options: [recordFormatOption],
  examples: ["talosctl etcd status", "talosctl etcd status --nodes 10.5.0.2,10.5.0.3,10.5.0.4"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).etcdStatus({}, { signal: invocation.signal });
    const statuses = (await session.answers("getting etcd status", call)).flatMap((message): readonly Status[] => {
      const { memberStatus: status } = message;
      if (status === undefined) return [];
      return [
        {
          node: session.nodeOf(message),
          member: formatMemberId(status.memberId),
          dbSize: Number(status.dbSize),
          dbSizeInUse: Number(status.dbSizeInUse),
          leader: formatMemberId(status.leader),
          raftIndex: Number(status.raftIndex),
          raftTerm: Number(status.raftTerm),
          raftAppliedIndex: Number(status.raftAppliedIndex),
          learner: status.isLearner,
          protocol: status.protocolVersion,
          storage: status.storageVersion,
          errors: status.errors,
        },
      ];
    });
    await printRecords(invocation, columns, statuses);
  },
};

function percent(part: number, whole: number): string {
  return (whole > 0 ? (part / whole) * 100 : 0).toFixed(2);
}
