import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { HardwareAddress, LinkStatus } from "@talos-ts/machinery/resources/network";
import { isPhysical } from "./link-status.ts";

/** The address of the first network card. */
export function hardwareAddressController(): Controller {
  return reduceController({
    name: "network.HardwareAddrController",
    inputs: [weak(LinkStatus)],
    outputs: [exclusive(HardwareAddress)],
    async reduce(context) {
      const first = (await context.list(LinkStatus)).find(({ spec }) => isPhysical(spec));
      if (first === undefined) return [];
      const spec = { name: first.metadata.id, hardwareAddr: first.spec.hardwareAddr };
      return [createResource(HardwareAddress, HardwareAddress.id, spec)];
    },
  });
}
