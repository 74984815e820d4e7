import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

/** Starts a service that is already loaded, and waits for it to be up where the next phase needs it. */
export function startService(machine: Machine, id: string, options: { readonly wait: boolean }): Task {
  return async ({ signal }) => {
    machine.services.start(id);
    if (options.wait) await machine.services.upCondition(id).wait(signal);
  };
}
