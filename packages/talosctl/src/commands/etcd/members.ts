import { formatMemberId } from "@talos-ts/machinery/etcd";
import { openResources } from "@talos-ts/machinery/client/resources";
import { EtcdLearner } from "@talos-ts/machinery/resources/etcd";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { printRecords, recordFormatOption, type Column } from "../../output/records.ts";
import { openSession, type Session } from "../../session/session.ts";

interface Member {
  readonly node: string;
  readonly id: string;
  readonly hostname: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly learner: boolean;
  /** Place among the machines that join, for those that do; 1 joins now. */
  readonly queue?: number;
}

const columns: readonly Column<Member>[] = [
  ["NODE", ({ node }) => node],
  ["ID", ({ id }) => id],
  ["HOSTNAME", ({ hostname }) => hostname],
  ["PEER URLS", ({ peerUrls }) => peerUrls.join(",")],
  ["CLIENT URLS", ({ clientUrls }) => clientUrls.join(",")],
  ["LEARNER", ({ learner, queue }) => (learner || queue === undefined ? String(learner) : `queued (${String(queue)})`)],
];

export const command: CommandDefinition = {
  description:
    "Lists the members as each node knows them, and after them the machines that wait to join. Needs quorum.",
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
    const queues = await Promise.all(session.targets.map((target) => readQueue(session, target, members)));
    await printRecords(invocation, columns, [...members, ...queues.flat()]);
  },
};

/** Machines that wait to join, as one node knows them; a node of another system knows none. */
async function readQueue(
  { connection, defaultNode }: Session,
  target: string | undefined,
  members: readonly Member[],
): Promise<readonly Member[]> {
  const node = target ?? defaultNode;
  const known = new Set(members.map(({ hostname }) => hostname));
  const learners = await openResources(connection, target, [EtcdLearner])
    .list(EtcdLearner)
    .catch(() => []);
  return learners
    .toSorted((a, b) => a.spec.position - b.spec.position)
    .filter(({ metadata }) => !known.has(metadata.id))
    .map(({ metadata, spec }) => ({
      node,
      id: "",
      hostname: metadata.id,
      peerUrls: [],
      clientUrls: [],
      learner: false,
      queue: spec.position,
    }));
}
