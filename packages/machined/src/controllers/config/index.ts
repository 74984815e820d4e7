import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { acquireController } from "./acquire.ts";
import { machineTypeController } from "./machine-type.ts";
import { persistenceController } from "./persistence.ts";

/** Controllers that find, keep and read the configuration. */
export function configControllers(machine: Machine): readonly Controller[] {
  return [acquireController(machine), machineTypeController(), persistenceController(machine)];
}
