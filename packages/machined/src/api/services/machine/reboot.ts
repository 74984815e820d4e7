import type { Logger } from "@talos-ts/cosi";
import { RebootRequest_Mode } from "@talos-ts/proto/machine/power";
import { requireOwnHardware } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";
import { startSequence } from "../../support/start-sequence.ts";
import type { Platform } from "../../../platform.ts";
import type { Sequencer } from "../../../sequence.ts";

export const reboot =
  (machine: {
    readonly platform: Platform;
    readonly logger: Logger;
    readonly sequencer: Sequencer;
  }): MachineMethod<"reboot"> =>
  ({ mode }) => {
    requireOwnHardware(machine);
    return { messages: [{ actorId: startSequence(machine, "reboot", { force: mode === RebootRequest_Mode.FORCE }) }] };
  };
