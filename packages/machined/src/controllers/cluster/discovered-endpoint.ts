import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { compareAddresses } from "@talos-ts/base/net";

/** Publishes where the control plane is according to discovery. */
export function discoveredEndpointController(): Controller {
  return reduceController({
    name: "cluster.EndpointController",
    inputs: [weak(Member)],
    outputs: [shared(Endpoint)],
    async reduce(context) {
      const members = await context.list(Member);
      const addresses = members
        .filter(({ spec: { machineType: type } }) => type === "init" || type === "controlplane")
        .flatMap(({ spec }) => spec.addresses)
        .toSorted(compareAddresses);
      return [createResource(Endpoint, Endpoint.ids.discovered, Endpoint.spec({ addresses }))];
    },
  });
}
