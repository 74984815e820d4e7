import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

export const pciDriverRebindConfig = document({
  kind: "PCIDriverRebindConfig",
  schemaName: "hardware.PCIDriverRebindConfigV1Alpha1",
  doc: "Gives a PCI device to another driver.",
  name: "Address of the device on the PCI bus, such as 0000:04:00.00.",
  fields: {
    targetDriver: property(string(), "Name of the driver.", { always: true, required: true, example: "vfio-pci" }),
  },
});
