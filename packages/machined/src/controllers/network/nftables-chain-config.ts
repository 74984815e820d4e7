import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import { NfTablesChain, NodeAddress } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { ingressChain, ingressFirewall, preroutingChain } from "./internal/ingress-chains.ts";

/** The ingress firewall of the configuration. */
export function nfTablesChainConfigController(): Controller {
  return reduceController({
    name: "network.NfTablesChainConfigController",
    inputs: [activeConfigInput, weak(NodeAddress)],
    outputs: [shared(NfTablesChain)],
    async reduce(context) {
      const config = await activeConfig(context);
      const firewall = config === undefined ? undefined : ingressFirewall(config);
      if (config === undefined || firewall === undefined) return [];
      const routed =
        (await context.find(NodeAddress, "routed-no-k8s")) ?? (await context.find(NodeAddress, NodeAddress.ids.routed));
      return [
        createResource(NfTablesChain, "ingress", ingressChain(config, firewall)),
        ...(routed === undefined
          ? []
          : [createResource(NfTablesChain, "prerouting", preroutingChain(firewall, routed.spec.addresses))]),
      ];
    },
  });
}
