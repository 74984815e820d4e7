import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { Info } from "@talos-ts/machinery/resources/cluster";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes which cluster the machine belongs to. */
export function clusterInfoController(): Controller {
  return reduceController({
    name: "cluster.InfoController",
    inputs: [activeConfigInput],
    outputs: [exclusive(Info)],
    async reduce(context) {
      const cluster = (await activeConfig(context))?.cluster;
      if (cluster === undefined) return [];
      return [createResource(Info, Info.id, Info.spec({ clusterId: cluster.id, clusterName: cluster.clusterName }))];
    },
  });
}
