import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** A value of the META partition, by its key. */
export const MetaKey = defineResource({
  type: "MetaKeys.runtime.talos.dev",
  namespace: "runtime",
  aliases: ["meta"],
  columns: [["Value", "{.value}"]],
  spec: {
    value: field(1, text),
  },
});

export type MetaKeySpec = SpecOf<typeof MetaKey>;
