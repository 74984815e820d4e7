import { defineResource, field, int64, list, map, text, type SpecOf } from "../dsl/index.ts";
import { argValues } from "./arg-values.ts";
import { extraVolume } from "./extra-volume.ts";
import { podResources } from "./pod-resources.ts";

/** Start parameters of the API server. */
export const APIServerConfig = defineResource({
  type: "APIServerConfigs.kubernetes.talos.dev",
  namespace: "controlplane",
  sensitivity: "sensitive",
  id: "kube-apiserver",
  spec: {
    image: field(1, text),
    cloudProvider: field(2, text),
    controlPlaneEndpoint: field(3, text),
    etcdServers: field(4, list(text)),
    localPort: field(5, int64),
    serviceCIDR: field(6, list(text)),
    extraArgs: field(13, map(argValues)),
    extraVolumes: field(8, list(extraVolume)),
    environmentVariables: field(9, map(text)),
    advertisedAddress: field(11, text),
    resources: field(12, podResources),
  },
});

export type APIServerConfigSpec = SpecOf<typeof APIServerConfig>;
