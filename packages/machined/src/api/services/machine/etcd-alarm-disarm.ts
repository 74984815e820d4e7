import { AlarmRequest_AlarmAction as AlarmAction, type AlarmMember } from "@talos-ts/proto/etcd/rpc";
import { callEtcd, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import { memberAlarms } from "../../support/etcd/member-alarms.ts";
import type { MachineMethod } from "./method.ts";

/** Ends every alarm of every member; answers with those that were ended. */
export const etcdAlarmDisarm =
  (machine: EtcdCallDependencies): MachineMethod<"etcdAlarmDisarm"> =>
  async (_request, { signal }) => {
    const call = { api: "etcd alarm disarm", failure: "failed to disarm etcd alarm" };
    const ended = await callEtcd(machine, call, async ({ maintenance }) => {
      const disarmed: AlarmMember[] = [];
      for (const { memberID, alarm } of (await maintenance.alarm({ action: AlarmAction.GET }, { signal })).alarms) {
        const request = { action: AlarmAction.DEACTIVATE, memberID, alarm };
        disarmed.push(...(await maintenance.alarm(request, { signal })).alarms);
      }
      return disarmed;
    });
    return { messages: [{ memberAlarms: memberAlarms(ended) }] };
  };
