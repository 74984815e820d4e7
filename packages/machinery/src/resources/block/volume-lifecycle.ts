import { defineResource, nothing, type SpecOf } from "../dsl/index.ts";

/** Exists while volumes may be open: tearing it down closes all of them. */
export const VolumeLifecycle = defineResource({
  type: "VolumeLifecycles.block.talos.dev",
  namespace: "runtime",
  id: "volumes",
  spec: nothing,
});

export type VolumeLifecycleSpec = SpecOf<typeof VolumeLifecycle>;
