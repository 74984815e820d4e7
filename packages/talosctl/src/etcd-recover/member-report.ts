import { describeError, OsError } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { formatMemberId } from "@talos-ts/machinery/etcd";
import { EtcdRecoveryService, type Inspection } from "@talos-ts/proto/recovery/recovery";

/** What is known of the member of one node. Numbers are zero unless the data could be read. */
export interface MemberReport {
  readonly node: string;
  /** As the API says: `running`, `waiting`, `stopped`, `snapshot`, `empty`, `unreadable`; `unreachable` when the node does not answer. */
  readonly state: string;
  /** Why nothing is known. */
  readonly error: string;
  /** True when the member answers through consensus. */
  readonly quorum: boolean;
  readonly member: string;
  readonly cluster: string;
  readonly name: string;
  readonly term: number;
  readonly appliedIndex: number;
  readonly revision: number;
  readonly compactRevision: number;
  /** 8 hexadecimal digits. */
  readonly hash: string;
  readonly keys: number;
  readonly dbSize: number;
  /** Log entries that are not known as committed; -1 when nobody can tell. */
  readonly uncommittedEntries: number;
  readonly members: readonly { readonly id: string; readonly name: string; readonly learner: boolean }[];
  /** State and last event of the service. */
  readonly service: string;
}

/** States in which the data was read. */
const readable: ReadonlySet<string> = new Set(["running", "waiting", "stopped", "snapshot"]);

export function isReadable({ state }: MemberReport): boolean {
  return readable.has(state);
}

/** Time for one node, in ms: a stopped member is copied and started. */
const inspectTimeoutMs = 10 * 60_000;

/**
 * Reads the member of one node; a node that does not answer has a report too.
 *
 * @param answeringOnly Reads no data of a member that does not answer. @default {false}
 */
export async function inspectNode(
  connection: ApiConnection,
  node: string,
  signal: AbortSignal,
  answeringOnly = false,
): Promise<MemberReport> {
  try {
    const service = connection.service(EtcdRecoveryService, { node });
    const { messages } = await service.inspect({ answeringOnly }, { signal, timeoutMs: inspectTimeoutMs });
    const [message] = messages;
    if (message === undefined) throw new OsError({ kind: "internal", message: "the node sent no answer" });
    return reportOf(node, message);
  } catch (err) {
    signal.throwIfAborted();
    const unknown = OsError.from(err).kind === "unimplemented";
    const error = unknown ? `${describeError(err)}: its version cannot read members` : describeError(err);
    return { ...nothing, node, state: "unreachable", error, members: [] };
  }
}

const nothing: Omit<MemberReport, "node" | "state"> = {
  error: "",
  quorum: false,
  member: "",
  cluster: "",
  name: "",
  term: 0,
  appliedIndex: 0,
  revision: 0,
  compactRevision: 0,
  hash: "",
  keys: 0,
  dbSize: 0,
  uncommittedEntries: -1,
  members: [],
  service: "",
};

/** Puts the answer of a node into the words of the command line. */
export function reportOf(node: string, found: Inspection): MemberReport {
  const { state, error, service, quorum } = found;
  const report = { ...nothing, node, state, error, service, quorum, members: [] };
  if (found.memberId === 0n) return report;
  return {
    ...report,
    member: formatMemberId(found.memberId),
    cluster: formatMemberId(found.clusterId),
    name: found.name,
    term: Number(found.raftTerm),
    appliedIndex: Number(found.raftAppliedIndex),
    revision: Number(found.revision),
    compactRevision: Number(found.compactRevision),
    hash: found.hash.toString(16).padStart(8, "0"),
    keys: Number(found.keys),
    dbSize: Number(found.dbSize),
    uncommittedEntries: Number(found.uncommittedEntries),
    members: found.members.map(({ id, name, isLearner }) => ({ id: formatMemberId(id), name, learner: isLearner })),
  };
}
