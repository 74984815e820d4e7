import { AlarmType, type AlarmMember } from "@talos-ts/proto/etcd/rpc";
import { EtcdMemberAlarm_AlarmType as ApiAlarmType } from "@talos-ts/proto/machine/etcd";

const types: Readonly<Record<AlarmType, ApiAlarmType>> = {
  [AlarmType.NONE]: ApiAlarmType.NONE,
  [AlarmType.NOSPACE]: ApiAlarmType.NOSPACE,
  [AlarmType.CORRUPT]: ApiAlarmType.CORRUPT,
};

/** Alarms of etcd as the machine API has them. */
export function memberAlarms(alarms: readonly AlarmMember[]) {
  return alarms.map(({ memberID, alarm }) => ({ memberId: memberID, alarm: types[alarm] }));
}
