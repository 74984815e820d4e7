import { defineResource, field, list, message, text, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";

const admissionPlugin = message({
  name: field(1, text),
  configuration: field(2, struct),
});

/** Admission plugins of the API server and their configuration. */
export const AdmissionControlConfig = defineResource({
  type: "AdmissionControlConfigs.kubernetes.talos.dev",
  namespace: "controlplane",
  id: "admission-control",
  spec: {
    config: field(1, list(admissionPlugin)),
  },
});

export type AdmissionControlConfigSpec = SpecOf<typeof AdmissionControlConfig>;
