import { defineResource, field, message, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

const extensionConstraint = message({
  version: field(1, text),
});

const extensionCompatibility = message({
  talos: field(1, extensionConstraint),
});

const extensionMetadata = message({
  name: field(1, text),
  version: field(2, text),
  author: field(3, text),
  description: field(4, text),
  compatibility: field(5, extensionCompatibility),
  extraInfo: omitEmpty(6, text),
});

/** A system extension that is installed. */
export const ExtensionStatus = defineResource({
  type: "ExtensionStatuses.runtime.talos.dev",
  namespace: "runtime",
  aliases: ["extensions"],
  columns: [
    ["Name", "{.metadata.name}"],
    ["Version", "{.metadata.version}"],
  ],
  spec: {
    image: field(1, text),
    metadata: field(2, extensionMetadata),
  },
});

export type ExtensionStatusSpec = SpecOf<typeof ExtensionStatus>;
