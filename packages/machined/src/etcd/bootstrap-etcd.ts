import { OsError } from "@talos-ts/base";
import type { ServiceManager } from "../services/service-manager.ts";
import type { EtcdServiceDependencies } from "./dependencies.ts";
import { etcdService } from "../services/definitions/etcd.ts";
import { isDataDirectoryEmpty } from "./data-directory.ts";
import { findCluster } from "./find-cluster.ts";
import type { EtcdStart } from "./plan-start.ts";

/**
 * Starts etcd as the first member of a cluster in place of the one that waits to join.
 *
 * @throws {OsError} `etcd/data-not-empty`, `etcd/cluster-exists`
 */
export async function bootstrapEtcd(
  machine: EtcdServiceDependencies & { readonly services: ServiceManager },
  start: Pick<EtcdStart, "recover">,
): Promise<void> {
  const { services } = machine;
  if (!(await isDataDirectoryEmpty(machine))) throw dataNotEmpty();
  const endpoint = await findCluster(machine);
  if (endpoint !== undefined) throw clusterExists(endpoint);
  const waiting = services.list().find((unit) => unit.service.id === "etcd");
  await waiting?.stop();
  waiting?.report("finished", "Bootstrap requested");
  // It may have joined a cluster while it was being stopped.
  if (!(await isDataDirectoryEmpty(machine))) throw dataNotEmpty();
  await services.unload("etcd");
  services.load(etcdService(machine, { ...start, bootstrap: true }));
  services.start("etcd");
}

function dataNotEmpty(): OsError {
  return new OsError({
    kind: "already-exists",
    code: "etcd/data-not-empty",
    message: "etcd data directory is not empty",
    next: "talosctl etcd members",
  });
}

function clusterExists(endpoint: string): OsError {
  return new OsError({
    kind: "already-exists",
    code: "etcd/cluster-exists",
    message: `etcd is bootstrapped already: a member of the cluster answers at ${endpoint}, and this node joins it by itself`,
    next: "talosctl etcd members",
  });
}
