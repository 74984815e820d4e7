import { defineResource, field, list, map, message, text, type SpecOf } from "../dsl/index.ts";

const extraManifest = message({
  name: field(1, text),
  url: field(2, text),
  priority: field(3, text),
  extraHeaders: field(4, map(text)),
  inlineManifest: field(5, text),
});

/** Manifests the user adds to the bootstrap manifests. */
export const ExtraManifestsConfig = defineResource({
  type: "ExtraManifestsConfigs.kubernetes.talos.dev",
  namespace: "controlplane",
  id: "extra-manifests",
  spec: {
    extraManifests: field(1, list(extraManifest)),
  },
});

export type ExtraManifestsConfigSpec = SpecOf<typeof ExtraManifestsConfig>;
