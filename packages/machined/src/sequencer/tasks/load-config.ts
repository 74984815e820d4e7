import { createResource, pointerTo, type State } from "@talos-ts/cosi";
import { AcquireConfigSpec, AcquireConfigStatus } from "@talos-ts/machinery/resources";
import type { Task } from "../../sequence.ts";

const id = "machine-config";

/** Asks for the configuration and waits, for ever if need be: in maintenance mode it comes from a person. */
export function loadConfig(machine: { readonly state: State }): Task {
  return async ({ signal }) => {
    await machine.state.create(createResource(AcquireConfigSpec, id, AcquireConfigSpec.spec({})));
    await machine.state.watchFor(pointerTo(AcquireConfigStatus, id), {}, signal);
  };
}
