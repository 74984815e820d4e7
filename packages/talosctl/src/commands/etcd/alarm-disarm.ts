import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { recordFormatOption } from "../../output/records.ts";
import { openSession } from "../../session/session.ts";
import { printAlarms } from "./print-alarms.ts";

export const command: CommandDefinition = {
  description:
    "Ends all alarms, once their cause is gone: after NOSPACE, first compact and run `talosctl etcd defrag`. Prints those that were ended.",
  options: [recordFormatOption],
  examples: ["talosctl etcd alarm disarm"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).etcdAlarmDisarm({}, { signal: invocation.signal });
    const answers = (await session.answers("disarming alarms", call)).map((message) => ({
      node: session.nodeOf(message),
      alarms: message.memberAlarms,
    }));
    await printAlarms(invocation, answers);
  },
};
