import { callEtcd, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import type { MachineMethod } from "./method.ts";

/** Gives unused space of the local member's database back; it answers nothing else meanwhile. */
export const etcdDefragment =
  (machine: EtcdCallDependencies): MachineMethod<"etcdDefragment"> =>
  async (_request, { signal }) => {
    const call = { api: "etcd defragment", failure: "failed to defragment etcd" };
    await callEtcd(machine, call, (client) => client.maintenance.defragment({}, { signal }));
    return { messages: [{}] };
  };
