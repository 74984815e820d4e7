import { requireOwnHardware } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";
import { startSequence, type StartSequenceDependencies } from "../../support/start-sequence.ts";
import type { Platform } from "../../../platform.ts";

export const shutdown =
  (machine: StartSequenceDependencies & { readonly platform: Platform }): MachineMethod<"shutdown"> =>
  ({ force }) => {
    requireOwnHardware(machine);
    return { messages: [{ actorId: startSequence(machine, "shutdown", { force }, { takeOver: true }) }] };
  };
