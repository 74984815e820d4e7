import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The version of the configuration an extension service's files were written from. */
export const ExtensionServiceConfigStatus = defineResource({
  type: "ExtensionServiceConfigStatuses.runtime.talos.dev",
  namespace: "runtime",
  spec: {
    specVersion: field(1, text),
  },
});

export type ExtensionServiceConfigStatusSpec = SpecOf<typeof ExtensionServiceConfigStatus>;
