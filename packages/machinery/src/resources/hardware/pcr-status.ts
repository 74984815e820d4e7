import { defineResource, nothing, type SpecOf } from "../dsl/index.ts";

/** Exists while a TPM register may be used: it is torn down before the register is extended. */
export const PCRStatus = defineResource({
  type: "PCRStatuses.hardware.talos.dev",
  namespace: "hardware",
  spec: nothing,
});

export type PCRStatusSpec = SpecOf<typeof PCRStatus>;
