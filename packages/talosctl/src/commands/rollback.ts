import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";

export const command: CommandDefinition = {
  description: "Boots nodes into the installation that an upgrade replaced.",
  examples: ["talosctl rollback --nodes 10.5.0.2"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const call = session.all(MachineService).rollback({}, { signal: invocation.signal });
    await session.answers("executing rollback", call);
  },
};
