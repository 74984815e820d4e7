import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { documentsOf, pciDriverRebindConfig } from "@talos-ts/machinery/config";
import { PCIDriverRebindConfig } from "@talos-ts/machinery/resources/hardware";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes which PCI devices should get another driver: `PCIDriverRebindConfig`. */
export function pciDriverRebindConfigController(): Controller {
  return reduceController({
    name: "hardware.PCIDriverRebindConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(PCIDriverRebindConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      const documents = config === undefined ? [] : documentsOf(config, pciDriverRebindConfig);
      return documents.map(({ name: pciID = "", targetDriver = "" }) =>
        createResource(PCIDriverRebindConfig, pciID, PCIDriverRebindConfig.spec({ pciID, targetDriver })),
      );
    },
  });
}
