import { OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { EtcdClient } from "./etcd-client.ts";

/** Answer of etcd when the leadership moved away meanwhile. */
const notLeader = "etcdserver: not leader";

/**
 * Moves the leadership to another voting member if the local member has it.
 *
 * @param client a client of the local member
 * @returns the name of the new leader, or `undefined` when another member led already
 */
export async function forfeitLeadership(
  { cluster, maintenance }: Pick<EtcdClient, "cluster" | "maintenance">,
  logger: Logger,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { members } = await cluster.memberList({ linearizable: true }, { signal });
  if (members.length === 1) {
    throw new OsError({
      kind: "failed-precondition",
      code: "etcd/only-member",
      message: "cannot forfeit leadership, only one member",
      next: "talosctl etcd members",
    });
  }
  const { header, leader } = await maintenance.status({}, { signal });
  if (header === undefined || leader !== header.memberId) return undefined;
  const own = members.find(({ ID }) => ID === header.memberId);
  const next = members.find(({ ID, isLearner }) => ID !== header.memberId && !isLearner);
  if (next === undefined) return undefined;
  logger.info(`moving leadership from ${JSON.stringify(own?.name ?? "")} to ${JSON.stringify(next.name)}`);
  try {
    await maintenance.moveLeader({ targetID: next.ID }, { signal });
  } catch (err) {
    if (OsError.from(err).message === notLeader) return undefined;
    throw err;
  }
  return next.name;
}
