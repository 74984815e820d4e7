import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { recordFormatOption } from "../../output/records.ts";
import { openSession } from "../../session/session.ts";
import { printAlarms } from "./print-alarms.ts";

export const command: CommandDefinition = {
  description: "Lists alarms such as NOSPACE, during which etcd takes no writes. Prints nothing when there are none.",
  options: [recordFormatOption],
  examples: ["talosctl etcd alarm list"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).etcdAlarmList({}, { signal: invocation.signal });
    const answers = (await session.answers("getting alarms", call)).map((message) => ({
      node: session.nodeOf(message),
      alarms: message.memberAlarms,
    }));
    await printAlarms(invocation, answers);
  },
};
