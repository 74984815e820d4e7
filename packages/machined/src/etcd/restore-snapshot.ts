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

/**
 * Makes a data directory from the uploaded snapshot with the tool of etcd's own image, then removes the snapshot. A failure leaves
 * the directory empty, so that another attempt can be made.
 *
 * @throws {OsError} `etcd/bad-snapshot`, `etcd/restore-failed`
 */
export async function restoreSnapshot(
  machine: EtcdServiceDependencies,
  spec: EtcdSpecSpec,
  { skipHashCheck }: { readonly skipHashCheck: boolean },
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<void> {
  const path = join(machine.root, paths.etcdRecoverySnapshot);
  const found = await checkSnapshot(path, { skipHashCheck }).catch((err: unknown) => {
    throw failure("error verifying snapshot", err);
  });
  const summary = `hash ${found.hash}, revision ${String(found.revision)}, total keys ${String(found.totalKeys)}, total size ${String(found.totalSize)}`;
  machine.logger.info(`recovering etcd from snapshot: ${summary}`);
  report(`Recovering from snapshot: ${summary}`);
  try {
    await restoreRunner(machine, spec, skipHashCheck).run(() => undefined, signal);
    signal.throwIfAborted();
  } catch (err) {
    await clearDataDirectory(machine);
    throw failure("error recovering from the snapshot", err);
  }
  await rm(path, { force: true });
}

function restoreRunner(machine: EtcdServiceDependencies, spec: EtcdSpecSpec, skipHashCheck: boolean) {
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
        `--skip-hash-check=${String(skipHashCheck)}`,
      ],
      user: { uid: userIds.etcd, gid: userIds.etcd },
      mounts: [readOnlyBind(paths.etcdRecoverySnapshot), writableBind(paths.etcdData)],
      cgroup: "/podruntime/etcd",
    }),
  });
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
