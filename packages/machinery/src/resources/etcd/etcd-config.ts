import { defineResource, field, list, map, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { argValues } from "../k8s/arg-values.ts";

/** Settings of etcd in the machine configuration. */
export const EtcdConfig = defineResource({
  type: "EtcdConfigs.etcd.talos.dev",
  namespace: "etcd",
  columns: [["Image", "{.image}"]],
  id: "etcd",
  spec: {
    advertiseValidSubnets: omitEmpty(1, list(text)),
    advertiseExcludeSubnets: field(2, list(text)),
    listenValidSubnets: omitEmpty(5, list(text)),
    listenExcludeSubnets: field(6, list(text)),
    image: field(3, text),
    extraArgs: field(7, map(argValues)),
  },
});

export type EtcdConfigSpec = SpecOf<typeof EtcdConfig>;
