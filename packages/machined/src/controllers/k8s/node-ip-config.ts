import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { NodeIPConfig } from "@talos-ts/machinery/resources/k8s";
import { isIPv6 } from "@talos-ts/base/net";
import { podSubnets, serviceSubnets } from "../internal/cluster-networks.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { virtualAddresses } from "../internal/virtual-addresses.ts";

/** Publishes which of its addresses a node announces to Kubernetes: as the configuration says, or one per family of the services. */
export function nodeIPConfigController(): Controller {
  return reduceController({
    name: "k8s.NodeIPConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(NodeIPConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      const { machine, cluster } = config ?? {};
      if (config === undefined || machine === undefined || cluster === undefined) return [];
      const services = serviceSubnets(cluster);
      const { validSubnets = [] } = machine.kubelet?.nodeIP ?? {};
      const spec = NodeIPConfig.spec({
        validSubnets:
          validSubnets.length > 0 ? validSubnets : services.map((subnet) => (isIPv6(subnet) ? "::/0" : "0.0.0.0/0")),
        excludeSubnets: [...podSubnets(cluster), ...services, ...virtualAddresses(config)],
      });
      return [createResource(NodeIPConfig, NodeIPConfig.id, spec)];
    },
  });
}
