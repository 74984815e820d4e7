import type { Sequencer } from "../sequence.ts";
import { serviceDefinitions, type ServiceDependencies, type ServiceId } from "./definitions/index.ts";

/** Services that a controller starts, once it has written what they start from. */
const startedByControllers: ReadonlySet<ServiceId> = new Set(["kubelet"]);

/**
 * Makes services known to the service manager and starts them, unless that is for a controller to do. The API service passes sequences
 * on to `sequencer`.
 */
export type StartServices = (sequencer: Sequencer, ...ids: readonly ServiceId[]) => void;

export function createStartServices(dependencies: Omit<ServiceDependencies, "sequencer">): StartServices {
  const { services } = dependencies;
  return (sequencer, ...ids) => {
    services.load(...ids.map((id) => serviceDefinitions[id]({ ...dependencies, sequencer })));
    services.start(...ids.filter((id) => !startedByControllers.has(id)));
  };
}
