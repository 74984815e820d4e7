import { defineResource, nothing, type SpecOf } from "../dsl/index.ts";

/** Exists once a reset has reached its last stage, so that the cluster can forget the machine. */
export const MachineResetSignal = defineResource({
  type: "MachineResetSignals.runtime.talos.dev",
  namespace: "runtime",
  id: "machine",
  spec: nothing,
});

export type MachineResetSignalSpec = SpecOf<typeof MachineResetSignal>;
