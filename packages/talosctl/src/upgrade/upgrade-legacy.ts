import { MachineService } from "@talos-ts/proto/machine/machine";
import { UpgradeRequest_RebootMode as Mode } from "@talos-ts/proto/machine/power";
import type { Invocation } from "../command.ts";
import type { Session } from "../session/session.ts";
import { trackAction } from "../session/track-action.ts";
import { badFlag, flag, textOption } from "../values.ts";

const modes: Readonly<Record<string, Mode>> = { default: Mode.DEFAULT, powercycle: Mode.POWERCYCLE };

/** Upgrades by the one call that pulls, drains, installs and reboots, for machines before v1.13; all nodes at once. */
export async function upgradeLegacy(
  session: Session,
  invocation: Invocation,
  tell: (node: string, text: string) => void,
): Promise<void> {
  const name = textOption(invocation, "rebootMode") ?? "default";
  const rebootMode = modes[name];
  if (rebootMode === undefined) throw badFlag("rebootMode", name, `${Object.keys(modes).join(" or ")} with --legacy`);
  const request = {
    image: textOption(invocation, "image") ?? "",
    preserve: flag(invocation, "preserve"),
    stage: flag(invocation, "stage"),
    force: flag(invocation, "force"),
    rebootMode,
  };
  await trackAction(session, invocation, {
    name: "upgrade",
    until: "ready",
    tell,
    async start() {
      const call = session.all(MachineService).upgrade(request, { signal: invocation.signal });
      const answers = await session.answers("performing upgrade", call);
      for (const answer of answers) tell(session.nodeOf(answer), answer.ack);
      return answers;
    },
  });
}
