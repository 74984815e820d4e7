import { MachineService } from "@talos-ts/proto/machine/machine";
import { RebootRequest_Mode as Mode } from "@talos-ts/proto/machine/power";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";
import { trackAction, trackOptions } from "../session/track-action.ts";
import { textOption } from "../values.ts";

const modes: Readonly<Record<string, Mode>> = {
  default: Mode.DEFAULT,
  powercycle: Mode.POWERCYCLE,
  force: Mode.FORCE,
};

export const command: CommandDefinition = {
  options: [
    {
      flags: "-m, --mode <mode>",
      description: "powercycle goes through the firmware, force skips the end of services",
      choices: Object.keys(modes),
      default: "default",
    },
    ...trackOptions,
  ],
  async run(invocation) {
    await using session = await openSession(invocation);
    const request = { mode: modes[textOption(invocation, "mode") ?? "default"] ?? Mode.DEFAULT };
    await trackAction(session, invocation, {
      name: "reboot",
      until: "ready",
      start: () =>
        session.answers("executing reboot", session.all(MachineService).reboot(request, { signal: invocation.signal })),
    });
  },
};
