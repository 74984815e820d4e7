import { requireLeader } from "../../../etcd/etcd-client.ts";
import { callEtcd, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import type { MachineMethod } from "./method.ts";

const removal = { api: "etcd remove member", failure: "failed to remove member", anyMember: true } as const;

/** Removes a member that cannot leave by itself. */
export const etcdRemoveMemberByID =
  (machine: EtcdCallDependencies): MachineMethod<"etcdRemoveMemberByID"> =>
  async ({ memberId }, { signal }) => {
    await callEtcd(machine, removal, (client) =>
      client.cluster.memberRemove({ ID: memberId }, { ...requireLeader, signal }),
    );
    return { messages: [{}] };
  };
