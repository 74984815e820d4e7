import { hostPort } from "@talos-ts/base";
import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { apidPort } from "@talos-ts/machinery/constants";
import { NodeAddress } from "@talos-ts/machinery/resources/network";
import { MaintenanceServiceConfig } from "@talos-ts/machinery/resources/runtime";
import { SiderolinkConfig } from "@talos-ts/machinery/resources/siderolink";
import { addressOf, isSideroLink } from "@talos-ts/base/net";

/** Publishes where the maintenance service listens: everywhere, or only towards the management system if there is one. */
export function maintenanceConfigController(): Controller {
  return reduceController({
    name: "runtime.MaintenanceConfigController",
    inputs: [weak(SiderolinkConfig, { id: SiderolinkConfig.id }), weak(NodeAddress, { id: NodeAddress.ids.current })],
    outputs: [exclusive(MaintenanceServiceConfig)],
    async reduce(context) {
      const current = await context.find(NodeAddress, NodeAddress.ids.current);
      const addresses = (current?.spec.addresses ?? []).map(addressOf);
      const make = (listenAddress: string, reachableAddresses: readonly string[]) => [
        createResource(
          MaintenanceServiceConfig,
          MaintenanceServiceConfig.id,
          MaintenanceServiceConfig.spec({ listenAddress, reachableAddresses }),
        ),
      ];
      if ((await context.find(SiderolinkConfig, SiderolinkConfig.id)) === undefined) {
        return make(`:${String(apidPort)}`, addresses);
      }
      const tunnel = addresses.find(isSideroLink);
      return tunnel === undefined ? [] : make(hostPort(tunnel, apidPort), [tunnel]);
    },
  });
}
