import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { NodeIP, NodeIPConfig } from "@talos-ts/machinery/resources/k8s";
import { NodeAddress } from "@talos-ts/machinery/resources/network";
import { addressOf, filterAddresses, isIPv6 } from "@talos-ts/base/net";

const routed = "routed-no-k8s";

/** The addresses the kubelet registers with: the first suitable one of each family. */
export function nodeIPController(): Controller {
  return reduceController({
    name: "k8s.NodeIPController",
    inputs: [weak(NodeIPConfig, { id: NodeIPConfig.id }), weak(NodeAddress, { id: routed })],
    outputs: [exclusive(NodeIP)],
    async reduce(context) {
      const config = await context.find(NodeIPConfig, NodeIPConfig.id);
      const own = await context.find(NodeAddress, routed);
      if (config === undefined || own === undefined) return undefined;
      const excluded = config.spec.excludeSubnets.map((subnet) => `!${subnet}`);
      const suitable = filterAddresses(own.spec.addresses.map(addressOf), [...config.spec.validSubnets, ...excluded]);
      if (suitable.length === 0) {
        context.logger.warn(
          "no suitable node IP found, please make sure .machine.kubelet.nodeIP filters and pod/service subnets are set up correctly",
        );
        return undefined;
      }
      const chosen: string[] = [];
      for (const address of suitable) {
        if (!chosen.some((other) => isIPv6(other) === isIPv6(address))) chosen.push(address);
        else {
          const hint = "please use .machine.kubelet.nodeIP to provide explicit subnet for the node IP";
          context.logger.warn(`node IP skipped, ${hint}`, { address });
        }
      }
      return [createResource(NodeIP, NodeIP.id, NodeIP.spec({ addresses: chosen }))];
    },
  });
}
