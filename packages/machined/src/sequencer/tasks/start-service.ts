import type { Task } from "../../sequence.ts";
import type { ServiceId } from "../../services/definitions/index.ts";
import type { ServiceManager } from "../../services/service-manager.ts";
import type { StartServices } from "../../services/start-services.ts";

export interface StartServiceOptions {
  readonly services: ServiceManager;
  readonly startServices: StartServices;
}

/** Starts a service, and waits until it is up where the next phase needs it. */
export function startService(
  { services, startServices }: StartServiceOptions,
  id: ServiceId,
  options: { readonly wait: boolean },
): Task {
  return async ({ signal, sequencer }) => {
    startServices(sequencer, id);
    if (options.wait) await services.upCondition(id).wait(signal);
  };
}
