import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The driver a PCI device should be bound to. */
export const PCIDriverRebindConfig = defineResource({
  type: "PCIDriverRebindConfigs.runtime.talos.dev",
  namespace: "hardware",
  columns: [
    ["Name", "{.name}"],
    ["PCI ID", "{.pciID}"],
    ["TargetDriver", "{.targetDriver}"],
  ],
  spec: {
    pciID: field(1, text),
    targetDriver: field(2, text),
  },
});

export type PCIDriverRebindConfigSpec = SpecOf<typeof PCIDriverRebindConfig>;
