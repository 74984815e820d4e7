import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describeError, OsError } from "@talos-ts/base";
import { etcdPeerPort, paths, userIds } from "@talos-ts/machinery/constants";
import { checkSnapshot } from "@talos-ts/machinery/etcd";
import type { EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import { readOnlyBind, writableBind } from "../containerd/oci-spec.ts";
import type { EtcdServiceDependencies } from "./dependencies.ts";
import { imageRunner } from "../runners/image.ts";
import { clearDataDirectory } from "./data-directory.ts";
import { newCluster } from "./etcd-arguments.ts";
import { memberUrls } from "./member-urls.ts";

/** Id of the container that restores; its log is under this name. */
const id = "etcd-restore";

/** Settings of restoring a snapshot. */
export interface SnapshotRestore {
  /** The snapshot is a copy of a database and has no SHA-256 behind it. */
  readonly skipHashCheck: boolean;
  /**
   * Gives the cluster ids of its own, so that members of the former cluster can never take part in it, and raises the revision
   * by this much with all older ones compacted, so that watches which have seen more than the snapshot end. @default neither
   */
  readonly raiseRevision?: number;
}

/**
 * Makes a data directory from the uploaded snapshot with the tool of etcd's own image, then removes the snapshot. A failure leaves
 * the directory empty, so that another attempt can be made.
 *
 * @throws {OsError} `etcd/bad-snapshot`, `etcd/restore-failed`
 */
export async function restoreSnapshot(
  machine: EtcdServiceDependencies,
  spec: EtcdSpecSpec,
  restore: SnapshotRestore,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<void> {
  const path = join(machine.root, paths.etcdRecoverySnapshot);
  const { skipHashCheck } = restore;
  const found = await checkSnapshot(path, { skipHashCheck }).catch((err: unknown) => {
    throw failure("error verifying snapshot", err);
  });
  const summary = `hash ${found.hash}, revision ${String(found.revision)}, total keys ${String(found.totalKeys)}, total size ${String(found.totalSize)}`;
  machine.logger.info(`recovering etcd from snapshot: ${summary}`);
  report(`Recovering from snapshot: ${summary}`);
  try {
    await restoreRunner(machine, spec, restore).run(() => undefined, signal);
    signal.throwIfAborted();
  } catch (err) {
    await clearDataDirectory(machine);
    throw failure("error recovering from the snapshot", err);
  }
  await rm(path, { force: true });
}

function restoreRunner(machine: EtcdServiceDependencies, spec: EtcdSpecSpec, restore: SnapshotRestore) {
  return imageRunner(machine, {
    id,
    restart: "once",
    container: () => ({
      id,
      image: spec.image,
      args: [
        "/usr/local/bin/etcdutl",
        "snapshot",
        "restore",
        paths.etcdRecoverySnapshot,
        `--name=${spec.name}`,
        `--data-dir=${paths.etcdData}`,
        `--initial-advertise-peer-urls=${memberUrls(spec.advertisedAddresses, etcdPeerPort).join(",")}`,
        `--initial-cluster=${newCluster(spec).members.join(",")}`,
        `--skip-hash-check=${String(restore.skipHashCheck)}`,
        ...newIdentity(restore),
      ],
      user: { uid: userIds.etcd, gid: userIds.etcd },
      mounts: [readOnlyBind(paths.etcdRecoverySnapshot), writableBind(paths.etcdData)],
      cgroup: "/podruntime/etcd",
    }),
  });
}

/** Ids are made from names, addresses and this token: without one they would be those of the cluster that began on this machine. */
function newIdentity({ raiseRevision }: SnapshotRestore): readonly string[] {
  if (raiseRevision === undefined) return [];
  return [
    `--initial-cluster-token=${randomUUID()}`,
    `--bump-revision=${String(raiseRevision)}`,
    "--mark-compacted=true",
  ];
}

function failure(doing: string, cause: unknown): OsError {
  const known = OsError.from(cause);
  return new OsError({
    kind: known.kind,
    code: known.code === known.kind ? "etcd/restore-failed" : known.code,
    message: `${doing}: ${describeError(cause)}`,
    next: known.next ?? `talosctl logs ${id}`,
    cause,
  });
}
