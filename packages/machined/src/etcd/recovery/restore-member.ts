import { OsError } from "@talos-ts/base";
import { formatMemberId } from "@talos-ts/machinery/etcd";
import { bootstrapEtcd } from "../bootstrap-etcd.ts";
import { clearDataDirectory, isDataDirectoryEmpty } from "../data-directory.ts";
import { findCluster } from "../find-cluster.ts";
import { forgetLearner } from "../learner-file.ts";
import { hasQuorum, requireSpec, type RecoveryDependencies } from "./inspect-member.ts";
import { keepSnapshot, offerSnapshot, readKeptFacts } from "./kept-snapshot.ts";
import type { MemberFacts } from "./member-facts.ts";
import { restartEtcd } from "./restart-etcd.ts";
import { withThrowAwayEtcd } from "./throw-away-etcd.ts";

/** The data that a person has chosen. */
export interface ChosenData {
  readonly memberId: bigint;
  /** The data must have at least this. */
  readonly revision: bigint;
}

/**
 * Revisions that a recovered cluster leaves out (etcdutl: `--bump-revision`): more than any cluster writes between the loss of its
 * quorum and the recovery, so that no revision that a watch has seen is given to something else.
 */
const raiseRevision = 1_000_000_000;

/**
 * Begins a new cluster with the data of the local member: a snapshot of it is taken and kept, then the data directory is replaced by
 * what the snapshot has. Until the snapshot is whole, a failure leaves the member as it was.
 *
 * @returns what the snapshot has
 * @throws {OsError} `etcd/has-quorum`, `etcd/cluster-exists`, `etcd/other-data`, `etcd/unreadable-data`
 */
export async function restoreMember(
  machine: RecoveryDependencies,
  chosen: ChosenData,
  signal: AbortSignal,
): Promise<MemberFacts> {
  await refuseQuorum(machine, signal);
  await machine.services.stop("etcd");
  let facts: MemberFacts;
  try {
    const endpoint = await findCluster(machine);
    if (endpoint !== undefined) throw clusterExists(endpoint);
    facts = (await isDataDirectoryEmpty(machine))
      ? requireChosen(await readKeptFacts(machine), chosen)
      : await takeSnapshot(machine, chosen, signal);
    await offerSnapshot(machine);
  } catch (err) {
    await restartEtcd(machine);
    throw err;
  }
  machine.logger.info(`replacing the data of etcd by a new cluster with revision ${String(facts.revision)}`);
  await clearDataDirectory(machine);
  await forgetLearner(machine);
  await bootstrapEtcd(machine, { recover: { skipHashCheck: false, raiseRevision } });
  return facts;
}

/** @throws {OsError} `etcd/has-quorum` when the local member answers through consensus */
export async function refuseQuorum(machine: RecoveryDependencies, signal: AbortSignal): Promise<void> {
  if (!(await hasQuorum(machine, signal))) return;
  throw new OsError({
    kind: "failed-precondition",
    code: "etcd/has-quorum",
    message: "etcd has quorum here: there is nothing to recover, and nothing is stopped or replaced",
    next: "talosctl etcd members",
  });
}

async function takeSnapshot(
  machine: RecoveryDependencies,
  chosen: ChosenData,
  signal: AbortSignal,
): Promise<MemberFacts> {
  return withThrowAwayEtcd(machine, await requireSpec(machine), signal, async ({ client, facts }) => {
    requireChosen(facts, chosen);
    await keepSnapshot(machine, client, facts, signal);
    return facts;
  });
}

function requireChosen(found: MemberFacts | undefined, { memberId, revision }: ChosenData): MemberFacts {
  if (found !== undefined && found.memberId === memberId && found.revision >= revision) return found;
  const actual =
    found === undefined
      ? "no data, and no snapshot of it"
      : `member ${formatMemberId(found.memberId)} with revision ${String(found.revision)}`;
  throw new OsError({
    kind: "failed-precondition",
    code: "etcd/other-data",
    message: `Cannot recover etcd: expected member ${formatMemberId(memberId)} with revision ${String(revision)}, found ${actual}`,
    next: "talosctl etcd recover --dry-run",
  });
}

function clusterExists(endpoint: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/cluster-exists",
    message: `Cannot recover etcd: a member of a cluster with quorum answers at ${endpoint}, and this node can join it`,
    next: "talosctl etcd members",
  });
}
