import { defineResource, nothing, type SpecOf } from "../dsl/index.ts";

/** Exists once the machine should look for its configuration. */
export const AcquireConfigSpec = defineResource({
  type: "AcquireConfigSpecs.v1alpha1.talos.dev",
  namespace: "runtime",
  spec: nothing,
});

export type AcquireConfigSpecSpec = SpecOf<typeof AcquireConfigSpec>;
