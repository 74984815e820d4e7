import { defineResource, nothing, type SpecOf } from "../dsl/index.ts";

/** Exists once the machine has found its configuration. */
export const AcquireConfigStatus = defineResource({
  type: "AcquireConfigStatuses.v1alpha1.talos.dev",
  namespace: "runtime",
  spec: nothing,
});

export type AcquireConfigStatusSpec = SpecOf<typeof AcquireConfigStatus>;
