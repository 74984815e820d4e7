import { OsError } from "@talos-ts/base";
import type { EtcdAccess } from "./dependencies.ts";
import { openLocalEtcdClient } from "./open-client.ts";

/** Longest time that the local member may take to answer, milliseconds. */
const timeoutMs = 15_000;

/** Checks that the cluster goes on while the local member is away for an upgrade. @throws {OsError} `etcd/no-quorum-left` */
export async function requireUpgradeQuorum(machine: EtcdAccess, signal: AbortSignal): Promise<void> {
  await using client = await openLocalEtcdClient(machine);
  const { members } = await client.cluster.memberList({ linearizable: true }, { signal, timeoutMs });
  checkMemberCount(members.filter(({ isLearner }) => !isLearner).length);
}

/**
 * Refuses to take one of this many members that vote away. A cluster of one stops with its only member, which is what whoever upgrades it
 * expects; of two, the other one stops too.
 *
 * @throws {OsError} `etcd/no-quorum-left`
 */
export function checkMemberCount(voting: number): void {
  if (voting !== 2) return;
  throw new OsError({
    kind: "failed-precondition",
    code: "etcd/no-quorum-left",
    message: `etcd member count(${String(voting)}) is insufficient to maintain quorum if upgrade commences`,
    next: "talosctl etcd members",
  });
}
