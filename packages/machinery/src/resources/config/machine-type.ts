import { defineResource, wrapped, type SpecOf } from "../dsl/index.ts";
import { machineType } from "../enums/index.ts";

/** The role of the machine, a bare name. */
export const MachineType = defineResource({
  type: "MachineTypes.config.talos.dev",
  namespace: "config",
  columns: [["Type", "{@}"]],
  id: "machine-type",
  spec: wrapped(1, machineType),
});

export type MachineTypeSpec = SpecOf<typeof MachineType>;
