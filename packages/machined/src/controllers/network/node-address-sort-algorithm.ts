import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { NodeAddressSortAlgorithm } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes how node addresses are put in order: the old way unless the configuration says otherwise. */
export function nodeAddressSortAlgorithmController(): Controller {
  return reduceController({
    name: "network.NodeAddressSortAlgorithmController",
    inputs: [activeConfigInput],
    outputs: [exclusive(NodeAddressSortAlgorithm)],
    async reduce(context) {
      const chosen = (await activeConfig(context))?.machine?.features?.nodeAddressSortAlgorithm;
      const spec = NodeAddressSortAlgorithm.spec({ algorithm: chosen === "v2" ? "v2" : "v1" });
      return [createResource(NodeAddressSortAlgorithm, NodeAddressSortAlgorithm.id, spec)];
    },
  });
}
