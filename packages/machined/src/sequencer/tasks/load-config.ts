import { createResource, pointerTo } from "@talos-ts/cosi";
import { AcquireConfigSpec, AcquireConfigStatus } from "@talos-ts/machinery/resources";
import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

const id = "machine-config";

/** Asks for the configuration and waits, for ever if need be: in maintenance mode it comes from a person. */
export function loadConfig(machine: Machine): Task {
  return async ({ signal }) => {
    await machine.state.create(createResource(AcquireConfigSpec, id, AcquireConfigSpec.spec({})));
    await machine.state.watchFor(pointerTo(AcquireConfigStatus, id), {}, signal);
  };
}
