import { bool, defineResource, field, list, map, text, type SpecOf } from "../dsl/index.ts";
import { struct } from "../values/index.ts";
import { argValues } from "./arg-values.ts";
import { extraVolume } from "./extra-volume.ts";
import { podResources } from "./pod-resources.ts";

/** Start parameters of the scheduler. */
export const SchedulerConfig = defineResource({
  type: "SchedulerConfigs.kubernetes.talos.dev",
  namespace: "controlplane",
  id: "kube-scheduler",
  spec: {
    enabled: field(1, bool),
    image: field(2, text),
    extraArgs: field(8, map(argValues)),
    extraVolumes: field(4, list(extraVolume)),
    environmentVariables: field(5, map(text)),
    resources: field(6, podResources),
    config: field(7, struct),
  },
});

export type SchedulerConfigSpec = SpecOf<typeof SchedulerConfig>;
