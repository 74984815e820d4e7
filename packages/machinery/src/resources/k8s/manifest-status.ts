import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";

/** The manifests that were applied. */
export const ManifestStatus = defineResource({
  type: "ManifestStatuses.kubernetes.talos.dev",
  namespace: "controlplane",
  id: "manifests",
  spec: {
    manifestsApplied: field(1, list(text)),
  },
});

export type ManifestStatusSpec = SpecOf<typeof ManifestStatus>;
