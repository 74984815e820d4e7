import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** A kernel parameter that should be set. */
export const KernelParamSpec = defineResource({
  type: "KernelParamSpecs.runtime.talos.dev",
  namespace: "runtime",
  spec: {
    value: field(1, text),
    ignoreErrors: field(2, bool),
  },
});

export type KernelParamSpecSpec = SpecOf<typeof KernelParamSpec>;
