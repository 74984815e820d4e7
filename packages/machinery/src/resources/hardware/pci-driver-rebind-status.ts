import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The driver a PCI device was bound to. */
export const PCIDriverRebindStatus = defineResource({
  type: "PCIDriverRebindStatuses.runtime.talos.dev",
  namespace: "hardware",
  aliases: ["pcidriverrebinds"],
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

export type PCIDriverRebindStatusSpec = SpecOf<typeof PCIDriverRebindStatus>;
