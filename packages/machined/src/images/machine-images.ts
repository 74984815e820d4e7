import type { Clock } from "@talos-ts/base";
import { RegistryConfig } from "@talos-ts/machinery/resources/cri";
import { findTyped, type State, type Logger } from "@talos-ts/cosi";
import { noRegistrySettings, type RegistrySettings } from "@talos-ts/oci";
import { createImageStore, type ImageStore } from "./image-store.ts";

/** The images of a machine, pulled as its configuration says at that moment. */
export function createMachineImages(machine: {
  readonly clock: Clock;
  readonly state: State;
  readonly logger: Logger;
  readonly root: string;
}): ImageStore {
  const { state, logger, clock, root } = machine;
  const registries = async (): Promise<RegistrySettings> =>
    (await findTyped(state, RegistryConfig, RegistryConfig.id))?.spec ?? noRegistrySettings;
  return createImageStore({ registries, log: (message) => logger.info(message), clock, root });
}
