import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";
import { trackAction, trackOptions } from "../session/track-action.ts";
import { flag } from "../values.ts";

export const command: CommandDefinition = {
  options: [{ flags: "--force", description: "do not move the pods of the node away first" }, ...trackOptions],
  examples: ["talosctl shutdown -n 10.5.0.3", "talosctl shutdown --force --wait=false -n 10.5.0.2,10.5.0.3"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const request = { force: flag(invocation, "force") };
    await trackAction(session, invocation, {
      name: "shutdown",
      until: "down",
      start: () =>
        session.answers(
          "executing shutdown",
          session.all(MachineService).shutdown(request, { signal: invocation.signal }),
        ),
    });
  },
};
