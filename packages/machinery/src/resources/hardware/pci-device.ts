import { defineResource, field, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** A PCI device. */
export const PCIDevice = defineResource({
  type: "PCIDevices.hardware.talos.dev",
  namespace: "hardware",
  aliases: ["devices", "device"],
  columns: [
    ["Class", "{.class}"],
    ["Subclass", "{.subclass}"],
    ["Vendor", "{.vendor}"],
    ["Product", "{.product}"],
  ],
  spec: {
    class: omitEmpty(1, text),
    subclass: omitEmpty(2, text),
    vendor: omitEmpty(3, text),
    product: omitEmpty(4, text),
    classId: field(5, text, "class_id"),
    subclassId: field(6, text, "subclass_id"),
    vendorId: field(7, text, "vendor_id"),
    productId: field(8, text, "product_id"),
    driver: omitEmpty(9, text),
  },
});

export type PCIDeviceSpec = SpecOf<typeof PCIDevice>;
