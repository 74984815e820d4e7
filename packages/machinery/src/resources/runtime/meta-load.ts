import { bool, defineResource, field, type SpecOf } from "../dsl/index.ts";

/** Exists once the META partition was read. */
export const MetaLoad = defineResource({
  type: "MetaLoads.runtime.talos.dev",
  namespace: "runtime",
  columns: [["Done", "{.done}"]],
  id: "meta-loaded",
  spec: {
    done: field(1, bool),
  },
});

export type MetaLoadSpec = SpecOf<typeof MetaLoad>;
