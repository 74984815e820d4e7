import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** A kernel parameter that is set unless the user says otherwise. */
export const KernelParamDefaultSpec = defineResource({
  type: "KernelParamDefaultSpecs.runtime.talos.dev",
  namespace: "runtime",
  spec: {
    value: field(1, text),
    ignoreErrors: field(2, bool),
  },
});

export type KernelParamDefaultSpecSpec = SpecOf<typeof KernelParamDefaultSpec>;
