import { bool, defineResource, field, list, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** A component the system is made of. */
export const SBOMItem = defineResource({
  type: "SBOMItems.talos.dev",
  namespace: "runtime",
  aliases: ["sbom", "sboms"],
  columns: [
    ["Version", "{.version}"],
    ["License", "{.license}"],
    ["Extension", "{.extension}"],
  ],
  spec: {
    name: field(1, text),
    version: field(2, text),
    license: omitEmpty(3, text),
    cpes: omitEmpty(4, list(text)),
    purls: omitEmpty(5, list(text)),
    extension: omitEmpty(6, bool),
  },
});

export type SBOMItemSpec = SpecOf<typeof SBOMItem>;
