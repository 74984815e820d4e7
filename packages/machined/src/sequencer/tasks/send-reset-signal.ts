import { createResource } from "@talos-ts/cosi";
import { MachineResetSignal } from "@talos-ts/machinery/resources";
import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

/** Tells controllers that the machine is about to forget who it is, so that they say goodbye to the cluster. */
export function sendResetSignal(machine: Machine): Task {
  return async () => {
    await machine.state.create(createResource(MachineResetSignal, "machine", MachineResetSignal.spec({})));
  };
}
