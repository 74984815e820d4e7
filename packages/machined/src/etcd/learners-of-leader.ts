import { OsError } from "@talos-ts/base";
import type { EtcdAccess } from "./dependencies.ts";
import { openLocalEtcdClient } from "./open-client.ts";

const timeoutMs = 10_000;
const gone = "etcdserver: member not found";

/** A learner in the list of members. */
export interface ListedLearner {
  readonly id: bigint;
  /** Empty until it has started once. */
  readonly name: string;
}

/** Lists the learners if the local member leads; otherwise none, as they are the business of the leader. */
export async function listLearners(machine: EtcdAccess, signal: AbortSignal): Promise<readonly ListedLearner[]> {
  await using client = await openLocalEtcdClient(machine);
  const { header, leader } = await client.maintenance.status({}, { signal, timeoutMs });
  if (header === undefined || leader !== header.memberId) return [];
  const { members } = await client.cluster.memberList({}, { signal, timeoutMs });
  return members.filter(({ isLearner }) => isLearner).map(({ ID, name }) => ({ id: ID, name }));
}

/** Removes a learner; one that is gone is no error. A member that was promoted meanwhile is left alone. */
export async function removeLearner(machine: EtcdAccess, id: bigint, signal: AbortSignal): Promise<void> {
  await using client = await openLocalEtcdClient(machine);
  const { members } = await client.cluster.memberList({ linearizable: true }, { signal, timeoutMs });
  if (members.find(({ ID }) => ID === id)?.isLearner !== true) return;
  try {
    await client.cluster.memberRemove({ ID: id }, { signal, timeoutMs });
  } catch (err) {
    if (OsError.from(err).message !== gone) throw err;
  }
}
