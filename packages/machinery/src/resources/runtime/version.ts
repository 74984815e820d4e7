import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Name and version of the operating system. */
export const Version = defineResource({
  type: "Versions.runtime.talos.dev",
  namespace: "runtime",
  columns: [
    ["Name", "{.name}"],
    ["Version", "{.version}"],
  ],
  id: "version",
  spec: {
    name: field(2, text),
    version: field(1, text),
  },
});

export type VersionSpec = SpecOf<typeof Version>;
