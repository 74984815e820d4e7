import { defineResource, field, list, message, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

const extensionServiceConfigFile = message({
  content: field(1, text),
  mountPath: field(2, text),
});

/** Files and environment of an extension service. */
export const ExtensionServiceConfig = defineResource({
  type: "ExtensionServiceConfigs.runtime.talos.dev",
  namespace: "runtime",
  sensitivity: "sensitive",
  spec: {
    files: omitEmpty(1, list(extensionServiceConfigFile)),
    environment: omitEmpty(2, list(text)),
  },
});

export type ExtensionServiceConfigSpec = SpecOf<typeof ExtensionServiceConfig>;
