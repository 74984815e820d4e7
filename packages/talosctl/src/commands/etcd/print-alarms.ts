import { formatMemberId } from "@talos-ts/machinery/etcd";
import { EtcdMemberAlarm_AlarmType as AlarmType, type EtcdMemberAlarm } from "@talos-ts/proto/machine/etcd";
import type { Invocation } from "../../command.ts";
import { printRecords, type Column } from "../../output/records.ts";
import { textOption } from "../../values.ts";

/** Alarms that a node answered with. */
export interface NodeAlarms {
  readonly node: string;
  readonly alarms: readonly EtcdMemberAlarm[];
}

interface Alarm {
  readonly node: string;
  readonly member: string;
  readonly alarm: string;
}

const columns: readonly Column<Alarm>[] = [
  ["NODE", ({ node }) => node],
  ["MEMBER", ({ member }) => member],
  ["ALARM", ({ alarm }) => alarm],
];

/** Prints alarms of members; a table without alarms has no heading either. */
export async function printAlarms(invocation: Invocation, answers: readonly NodeAlarms[]): Promise<void> {
  const records = answers.flatMap(({ node, alarms }) =>
    alarms.map(({ memberId, alarm }): Alarm => {
      return { node, member: formatMemberId(memberId), alarm: AlarmType[alarm] ?? String(alarm) };
    }),
  );
  if (records.length === 0 && textOption(invocation, "output") === "table") return;
  await printRecords(invocation, columns, records);
}
