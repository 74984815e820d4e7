import { OsError } from "@talos-ts/base";
import { formatMemberId } from "@talos-ts/machinery/etcd";
import { clearDataDirectory } from "../data-directory.ts";
import { findCluster } from "../find-cluster.ts";
import { forgetLearner } from "../learner-file.ts";
import { openLocalEtcdClient } from "../open-client.ts";
import { hasQuorum, type RecoveryDependencies } from "./inspect-member.ts";
import { restartEtcd } from "./restart-etcd.ts";

const timeoutMs = 10_000;

export interface RejoinOptions {
  /** The cluster to be a member of; it must answer. */
  readonly clusterId: bigint;
  /** Deletes the data first: it belongs to another cluster, or cannot be read. */
  readonly discardData: boolean;
}

/**
 * Makes the local member part of a cluster that has quorum: with its data, or without, as a new member.
 *
 * @throws {OsError} `etcd/no-cluster` before anything is touched when that cluster does not answer
 */
export async function rejoinMember(
  machine: RecoveryDependencies,
  { clusterId, discardData }: RejoinOptions,
  signal: AbortSignal,
): Promise<void> {
  if ((await findCluster(machine, clusterId)) === undefined) throw noCluster(clusterId);
  if (await isHealthyMember(machine, clusterId, signal)) return;
  await machine.services.stop("etcd");
  if (discardData) {
    machine.logger.info("deleting the data of etcd, this machine joins the cluster anew");
    await clearDataDirectory(machine);
    await forgetLearner(machine);
  }
  await restartEtcd(machine);
}

/** Says whether there is nothing to do, as after an answer that was lost. */
async function isHealthyMember(
  machine: RecoveryDependencies,
  clusterId: bigint,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await hasQuorum(machine, signal))) return false;
  await using local = await openLocalEtcdClient(machine);
  const { header } = await local.maintenance.status({}, { signal, timeoutMs });
  return header?.clusterId === clusterId;
}

function noCluster(clusterId: bigint): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/no-cluster",
    message: `Cannot join cluster ${formatMemberId(clusterId)}, the data of this node is kept: no member of it that has quorum answers`,
    next: "talosctl etcd recover --dry-run",
  });
}
