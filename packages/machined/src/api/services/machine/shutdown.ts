import type { Logger } from "@talos-ts/cosi";
import { requireOwnHardware } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";
import { startSequence } from "../../support/start-sequence.ts";
import type { Platform } from "../../../platform.ts";
import type { Sequencer } from "../../../sequence.ts";

export const shutdown =
  (machine: {
    readonly platform: Platform;
    readonly logger: Logger;
    readonly sequencer: Sequencer;
  }): MachineMethod<"shutdown"> =>
  ({ force }) => {
    requireOwnHardware(machine);
    return { messages: [{ actorId: startSequence(machine, "shutdown", { force }, { takeOver: true }) }] };
  };
