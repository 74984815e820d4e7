import { MachineService } from "@talos-ts/proto/machine/machine";
import { RebootRequest_Mode as Mode } from "@talos-ts/proto/machine/power";
import type { CommandDefinition, Invocation } from "../command.ts";
import { parseDuration } from "../output/go-duration.ts";
import { createNodeProgress, progressOption } from "../output/node-progress.ts";
import { drainNodes } from "../session/drain-nodes.ts";
import { openSession, type Session } from "../session/session.ts";
import { trackAction, trackOptions } from "../session/track-action.ts";
import { flag, textOption } from "../values.ts";

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
    { flags: "--drain", description: "cordon the Kubernetes node and evict its pods first; implies --wait" },
    { flags: "--drain-timeout <duration>", description: "how long pods may take to go", default: "5m" },
    progressOption,
    ...trackOptions,
  ],
  examples: ["talosctl reboot", "talosctl reboot --drain --nodes 10.5.0.3", "talosctl reboot --wait=false"],
  async run(invocation) {
    await using session = await openSession(invocation);
    using progress = createNodeProgress(invocation);
    if (!flag(invocation, "drain")) {
      await reboot(session, invocation, progress.tell);
      return;
    }
    const limit = AbortSignal.timeout(parseDuration(textOption(invocation, "drainTimeout") ?? "5m"));
    const { signal } = invocation;
    using drained = await drainNodes(session, AbortSignal.any([signal, limit]), progress.tell);
    try {
      await reboot(session, invocation, progress.tell);
    } finally {
      await drained.uncordon(signal);
    }
  },
};

async function reboot(
  session: Session,
  invocation: Invocation,
  tell: (node: string, text: string) => void,
): Promise<void> {
  const request = { mode: modes[textOption(invocation, "mode") ?? "default"] ?? Mode.DEFAULT };
  await trackAction(session, invocation, {
    name: "reboot",
    until: "ready",
    wait: flag(invocation, "drain"),
    tell,
    start: () =>
      session.answers("executing reboot", session.all(MachineService).reboot(request, { signal: invocation.signal })),
  });
}
