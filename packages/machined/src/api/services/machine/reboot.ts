import { RebootRequest_Mode } from "@talos-ts/proto/machine/power";
import { requireOwnHardware } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";
import { startSequence, type StartSequenceDependencies } from "../../support/start-sequence.ts";
import type { Platform } from "../../../platform.ts";

export const reboot =
  (machine: StartSequenceDependencies & { readonly platform: Platform }): MachineMethod<"reboot"> =>
  ({ mode }) => {
    requireOwnHardware(machine);
    return { messages: [{ actorId: startSequence(machine, "reboot", { force: mode === RebootRequest_Mode.FORCE }) }] };
  };
