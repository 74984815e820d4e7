import type { EtcdRetryAccess } from "../../etcd/dependencies.ts";
import { isDataDirectoryEmpty } from "../../etcd/data-directory.ts";
import { leaveCluster } from "../../etcd/leave-cluster.ts";
import type { Task } from "../../sequence.ts";
import type { ServiceState } from "../../service-state.ts";
import type { ServiceManager } from "../../services/service-manager.ts";

export interface LeaveEtcdOptions extends EtcdRetryAccess {
  readonly services: ServiceManager;
}

/** States of an etcd that may be a member; one that never got so far has nothing to leave. */
const member: ReadonlySet<ServiceState> = new Set(["running", "waiting", "stopping", "failed"]);

/** Takes the member of this machine out of its etcd cluster, so that the others do not count on it. */
export function leaveEtcd(machine: LeaveEtcdOptions): Task {
  return async ({ signal, log }) => {
    const etcd = machine.services.list().find(({ service }) => service.id === "etcd");
    if (etcd === undefined || !member.has(etcd.state) || (await isDataDirectoryEmpty(machine))) {
      log("skipping leaving etcd: this machine is not a member");
      return;
    }
    await leaveCluster(machine, signal);
    log("left the etcd cluster");
  };
}
