import { formatMemberId } from "@talos-ts/machinery/etcd";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { printRecords, recordFormatOption, type Column } from "../../output/records.ts";
import { openSession } from "../../session/session.ts";

interface Member {
  readonly node: string;
  readonly id: string;
  readonly hostname: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly learner: boolean;
}

const columns: readonly Column<Member>[] = [
  ["NODE", ({ node }) => node],
  ["ID", ({ id }) => id],
  ["HOSTNAME", ({ hostname }) => hostname],
  ["PEER URLS", ({ peerUrls }) => peerUrls.join(",")],
  ["CLIENT URLS", ({ clientUrls }) => clientUrls.join(",")],
  ["LEARNER", ({ learner }) => String(learner)],
];

export const command: CommandDefinition = {
  description: "Lists the members as each node knows them. Needs quorum.",
  options: [recordFormatOption],
  examples: ["talosctl etcd members", "talosctl etcd members --nodes 10.5.0.2,10.5.0.3 -o json"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).etcdMemberList({ queryLocal: true }, { signal: invocation.signal });
    const members = (await session.answers("getting members", call)).flatMap((message) =>
      message.members.map(({ id, hostname, peerUrls, clientUrls, isLearner }): Member => {
        const node = session.nodeOf(message);
        return { node, id: formatMemberId(id), hostname, peerUrls, clientUrls, learner: isLearner };
      }),
    );
    await printRecords(invocation, columns, members);
  },
};
