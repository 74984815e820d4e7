import { AlarmRequest_AlarmAction as AlarmAction } from "@talos-ts/proto/etcd/rpc";
import { callEtcd, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import { memberAlarms } from "../../support/etcd/member-alarms.ts";
import type { MachineMethod } from "./method.ts";

export const etcdAlarmList =
  (machine: EtcdCallDependencies): MachineMethod<"etcdAlarmList"> =>
  async (_request, { signal }) => {
    const call = { api: "etcd alarm list", failure: "failed to list etcd alarms" };
    const { alarms } = await callEtcd(machine, call, (client) =>
      client.maintenance.alarm({ action: AlarmAction.GET }, { signal }),
    );
    return { messages: [{ memberAlarms: memberAlarms(alarms) }] };
  };
