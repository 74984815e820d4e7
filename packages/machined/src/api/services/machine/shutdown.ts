import { requireOwnHardware } from "../../access/mode-support.ts";
import type { Handler } from "./handler.ts";
import { startSequence } from "../../support/start-sequence.ts";

export const shutdown: Handler<"shutdown"> =
  (machine) =>
  ({ force }) => {
    requireOwnHardware(machine);
    return { messages: [{ actorId: startSequence(machine, "shutdown", { force }, { takeOver: true }) }] };
  };
