import { defineResource, field, int64, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** A kernel module that is loaded. */
export const LoadedKernelModule = defineResource({
  type: "LoadedKernelModules.runtime.talos.dev",
  namespace: "runtime",
  aliases: ["module", "modules"],
  columns: [["State", "{.state}"]],
  spec: {
    size: field(1, int64),
    referenceCount: field(2, int64),
    dependencies: omitEmpty(3, list(text)),
    state: field(4, text),
    address: field(5, text),
  },
});

export type LoadedKernelModuleSpec = SpecOf<typeof LoadedKernelModule>;
