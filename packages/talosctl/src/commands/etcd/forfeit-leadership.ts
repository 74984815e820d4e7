import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { openSession } from "../../session/session.ts";

export const command: CommandDefinition = {
  description: "Hands the leadership to another member if the node has it; does nothing otherwise.",
  examples: ["talosctl etcd forfeit-leadership --nodes 10.5.0.2"],
  async run(invocation) {
    await using session = await openSession(invocation);
    await session.answers(
      "forfeiting etcd leadership",
      session.all(MachineService).etcdForfeitLeadership({}, { signal: invocation.signal }),
    );
  },
};
