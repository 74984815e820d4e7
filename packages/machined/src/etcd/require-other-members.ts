import { OsError } from "@talos-ts/base";
import type { EtcdAccess } from "./dependencies.ts";
import { openLocalEtcdClient } from "./open-client.ts";

/** Longest time that the local member may take to answer, milliseconds. */
const timeoutMs = 15_000;

/**
 * Checks that the cluster goes on without the local member.
 *
 * @throws {OsError} `etcd/only-member` when it is the only one that votes: the data of Kubernetes would be gone
 */
export async function requireOtherMembers(machine: EtcdAccess, signal: AbortSignal): Promise<void> {
  await using client = await openLocalEtcdClient(machine);
  const { members } = await client.cluster.memberList({ linearizable: false }, { signal, timeoutMs });
  if (members.filter(({ isLearner }) => !isLearner).length !== 1) return;
  const { header } = await client.maintenance.status({}, { signal, timeoutMs });
  if (members.some(({ ID, isLearner }) => ID === header?.memberId && isLearner)) return;
  throw new OsError({
    kind: "failed-precondition",
    code: "etcd/only-member",
    message:
      "cannot leave the etcd cluster: this machine is its only member, and leaving would delete the data of Kubernetes",
    next: "talosctl reset --graceful=false",
  });
}
