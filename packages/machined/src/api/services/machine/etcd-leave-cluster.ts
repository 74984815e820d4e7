import { leaveCluster } from "../../../etcd/leave-cluster.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import { etcdFailure } from "../../support/etcd/call-etcd.ts";
import type { EtcdRetryAccess } from "../../../etcd/dependencies.ts";
import type { ConfigStore } from "../../../config-store.ts";
import type { ServiceManager } from "../../../services/service-manager.ts";
import type { MachineMethod } from "./method.ts";

/** Describes what leaving needs of the machine. */
export interface LeaveDependencies extends EtcdRetryAccess {
  readonly config: ConfigStore;
  readonly services: ServiceManager;
}

/** Removes this machine from the cluster, stops etcd and deletes its data. */
export const etcdLeaveCluster =
  (machine: LeaveDependencies): MachineMethod<"etcdLeaveCluster"> =>
  async (_request, { signal }) => {
    await requireControlPlane(machine, "etcd leave");
    try {
      await leaveCluster(machine, signal);
    } catch (err) {
      throw etcdFailure("failed to leave cluster", err);
    }
    return { messages: [{}] };
  };
