import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { NodeStatus, Nodename } from "@talos-ts/machinery/resources/k8s";
import { NodeAddressFilter } from "@talos-ts/machinery/resources/network";
import { podSubnets, serviceSubnets } from "../internal/cluster-networks.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes which addresses of the machine are its own and which are those of Kubernetes. */
export function addressFilterController(): Controller {
  return reduceController({
    name: "k8s.AddressFilterController",
    inputs: [activeConfigInput, weak(Nodename, { id: Nodename.id }), weak(NodeStatus)],
    outputs: [exclusive(NodeAddressFilter)],
    async reduce(context) {
      const cluster = (await activeConfig(context))?.cluster;
      if (cluster === undefined) return [];
      const nodename = await context.find(Nodename, Nodename.id);
      const node = nodename === undefined ? undefined : await context.find(NodeStatus, nodename.spec.nodename);
      const subnets = [...podSubnets(cluster), ...(node?.spec.podCIDRs ?? []), ...serviceSubnets(cluster)];
      const { noK8s, onlyK8s } = NodeAddressFilter.ids;
      return [
        createResource(NodeAddressFilter, noK8s, NodeAddressFilter.spec({ excludeSubnets: subnets })),
        createResource(NodeAddressFilter, onlyK8s, NodeAddressFilter.spec({ includeSubnets: subnets })),
      ];
    },
  });
}
