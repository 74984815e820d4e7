import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** A kernel parameter that was set, and its value before. */
export const KernelParamStatus = defineResource({
  type: "KernelParamStatuses.runtime.talos.dev",
  namespace: "runtime",
  aliases: ["sysctls", "kernelparameters", "kernelparams"],
  columns: [
    ["Current", "{.current}"],
    ["Default", "{.default}"],
    ["Unsupported", "{.unsupported}"],
  ],
  spec: {
    current: field(1, text),
    default: field(2, text),
    unsupported: field(3, bool),
  },
});

export type KernelParamStatusSpec = SpecOf<typeof KernelParamStatus>;
