import { bool, defineResource, field, list, map, text, type SpecOf } from "../dsl/index.ts";
import { argValues } from "./arg-values.ts";
import { extraVolume } from "./extra-volume.ts";
import { podResources } from "./pod-resources.ts";

/** Start parameters of the controller manager. */
export const ControllerManagerConfig = defineResource({
  type: "ControllerManagerConfigs.kubernetes.talos.dev",
  namespace: "controlplane",
  id: "kube-controller-manager",
  spec: {
    enabled: field(1, bool),
    image: field(2, text),
    cloudProvider: field(3, text),
    podCIDRs: field(4, list(text)),
    serviceCIDRs: field(5, list(text)),
    extraArgs: field(10, map(argValues)),
    extraVolumes: field(7, list(extraVolume)),
    environmentVariables: field(8, map(text)),
    resources: field(9, podResources),
  },
});

export type ControllerManagerConfigSpec = SpecOf<typeof ControllerManagerConfig>;
