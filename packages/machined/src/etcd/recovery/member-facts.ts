import { OsError } from "@talos-ts/base";
import type { DatabaseMember } from "@talos-ts/machinery/etcd";
import type { EtcdClient } from "../etcd-client.ts";

/** What the data of a member says. */
export interface MemberFacts {
  readonly memberId: bigint;
  readonly clusterId: bigint;
  readonly name: string;
  readonly raftTerm: bigint;
  /** Last log entry that is applied. */
  readonly raftAppliedIndex: bigint;
  readonly revision: bigint;
  readonly compactRevision: bigint;
  /** HashKV at the revision. */
  readonly hash: number;
  readonly keys: bigint;
  readonly dbSize: bigint;
  /** Log entries that a new cluster drops, as nobody knows whether they were committed; -1 when it cannot be told. */
  readonly uncommittedEntries: bigint;
  readonly members: readonly DatabaseMember[];
}

/** Time for each question, in ms: a hash reads the whole database. */
const timeoutMs = 120_000;
const allKeys = { key: Buffer.of(0), rangeEnd: Buffer.of(0) };

/** Asks one member for everything that it knows by itself; needs no quorum. */
export async function readMemberFacts(client: EtcdClient, signal: AbortSignal): Promise<MemberFacts> {
  const call = { signal, timeoutMs };
  const { header, raftTerm, raftAppliedIndex, dbSize } = await client.maintenance.status({}, call);
  if (header === undefined) throw noHeader();
  const { hash, hashRevision, compactRevision } = await client.maintenance.hashKV({ revision: 0n }, call);
  const { count } = await client.kv.range({ ...allKeys, countOnly: true, serializable: true }, call);
  const { members } = await client.cluster.memberList({ linearizable: false }, call);
  return {
    memberId: header.memberId,
    clusterId: header.clusterId,
    name: members.find(({ ID }) => ID === header.memberId)?.name ?? "",
    raftTerm,
    raftAppliedIndex,
    revision: hashRevision,
    compactRevision,
    hash,
    keys: count,
    dbSize,
    uncommittedEntries: -1n,
    members: members.map(({ ID, name, isLearner, peerURLs }) => ({ id: ID, name, isLearner, peerUrls: peerURLs })),
  };
}

function noHeader(): OsError {
  return new OsError({ kind: "internal", code: "etcd/no-header", message: "etcd answered without a response header" });
}
