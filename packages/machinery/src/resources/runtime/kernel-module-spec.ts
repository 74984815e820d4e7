import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";

/** A kernel module that should be loaded. */
export const KernelModuleSpec = defineResource({
  type: "KernelModuleSpecs.runtime.talos.dev",
  namespace: "runtime",
  spec: {
    name: field(1, text, "string"),
    parameters: field(2, list(text)),
  },
});

export type KernelModuleSpecSpec = SpecOf<typeof KernelModuleSpec>;
