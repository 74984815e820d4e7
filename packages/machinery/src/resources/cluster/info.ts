import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Id and name of the cluster. */
export const Info = defineResource({
  type: "Infos.cluster.talos.dev",
  namespace: "cluster",
  columns: [
    ["Cluster ID", "{.clusterId}"],
    ["Cluster Name", "{.clusterName}"],
  ],
  id: "current",
  spec: {
    clusterId: field(1, text),
    clusterName: field(2, text),
  },
});

export type InfoSpec = SpecOf<typeof Info>;
