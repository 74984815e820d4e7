import type { Machine } from "../../machine.ts";
import { loadAndStart, type ServiceId } from "../../services/definitions/index.ts";
import type { Task } from "../sequencer.ts";

/** Starts a service, and waits for it to be up where the next phase needs it. */
export function startService(machine: Machine, id: ServiceId, options: { readonly wait: boolean }): Task {
  return async ({ signal }) => {
    loadAndStart(machine, id);
    if (options.wait) await machine.services.upCondition(id).wait(signal);
  };
}
