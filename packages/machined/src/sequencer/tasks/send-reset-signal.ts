import { createResource, type State } from "@talos-ts/cosi";
import { MachineResetSignal } from "@talos-ts/machinery/resources";
import type { Task } from "../../sequence.ts";

/** Signals controllers that the machine is about to be erased, so that they leave the cluster. */
export function sendResetSignal(machine: { readonly state: State }): Task {
  return async () => {
    await machine.state.create(createResource(MachineResetSignal, "machine", MachineResetSignal.spec({})));
  };
}
