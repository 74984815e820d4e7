import { RebootRequest_Mode } from "@talos-ts/proto/machine/power";
import { requireOwnHardware } from "../../access/mode-support.ts";
import type { Handler } from "./handler.ts";
import { startSequence } from "../../support/start-sequence.ts";

export const reboot: Handler<"reboot"> =
  (machine) =>
  ({ mode }) => {
    requireOwnHardware(machine);
    return { messages: [{ actorId: startSequence(machine, "reboot", { force: mode === RebootRequest_Mode.FORCE }) }] };
  };
