import { defineResource, list, wrapped, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";

/** A bootstrap manifest: a bare list of Kubernetes objects. */
export const Manifest = defineResource({
  type: "Manifests.kubernetes.talos.dev",
  namespace: "controlplane",
  spec: wrapped(1, list(wrapped(1, struct))),
});

export type ManifestSpec = SpecOf<typeof Manifest>;
