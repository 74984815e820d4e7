import { OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { EtcdAccess } from "./dependencies.ts";
import { forfeitLeadership } from "./forfeit-leadership.ts";
import { openEtcdClient, openLocalEtcdClient } from "./open-client.ts";

const timeoutMs = 10_000;
/** etcd copies the whole database; nothing is served meanwhile. */
const defragmentTimeoutMs = 5 * 60_000;

/** Sizes of the database of a member, in bytes. */
export interface DatabaseSize {
  readonly total: number;
  readonly inUse: number;
  /** At which etcd stops to accept writes. */
  readonly quota: number;
}

/** Quota of etcd when its settings name none, in bytes. */
const defaultQuota = 2 * 1024 ** 3;

/** Reads the sizes of the local database. Needs no quorum. */
export async function databaseSize(machine: EtcdAccess, signal: AbortSignal): Promise<DatabaseSize> {
  await using client = await openLocalEtcdClient(machine);
  const { dbSize, dbSizeInUse, dbSizeQuota } = await client.maintenance.status({}, { signal, timeoutMs });
  return { total: Number(dbSize), inUse: Number(dbSizeInUse), quota: Number(dbSizeQuota) || defaultQuota };
}

/**
 * Defragments the local member. It stands still meanwhile, so that all others must answer first, and it hands the leadership over.
 *
 * @throws {OsError} `etcd/member-away`
 */
export async function defragmentLocal(machine: EtcdAccess, logger: Logger, signal: AbortSignal): Promise<void> {
  await using client = await openLocalEtcdClient(machine);
  const { members } = await client.cluster.memberList({ linearizable: true }, { signal, timeoutMs });
  for (const { name, clientURLs } of members) await requireAnswer(machine, name, clientURLs, signal);
  if (members.filter(({ isLearner }) => !isLearner).length > 1) await forfeitLeadership(client, logger, signal);
  await client.maintenance.defragment({}, { signal, timeoutMs: defragmentTimeoutMs });
}

async function requireAnswer(
  machine: EtcdAccess,
  name: string,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await using other = await openEtcdClient(
      machine,
      urls.map((url) => new URL(url).host),
    );
    await other.maintenance.status({}, { signal, timeoutMs });
  } catch (err) {
    throw new OsError({
      kind: "failed-precondition",
      code: "etcd/member-away",
      message: `etcd is not defragmented while member ${JSON.stringify(name)} does not answer`,
      next: "talosctl etcd status",
      cause: err,
    });
  }
}
