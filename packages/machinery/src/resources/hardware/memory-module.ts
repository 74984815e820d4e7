import { defineResource, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";

/** A memory module from SMBIOS. */
export const MemoryModule = defineResource({
  type: "MemoryModules.hardware.talos.dev",
  namespace: "hardware",
  aliases: ["memorymodules", "ram"],
  columns: [
    ["Manufacturer", "{.manufacturer}"],
    ["Model", "{.productName}"],
    ["SizeMiB", "{.sizeMiB}"],
  ],
  spec: {
    sizeMiB: omitEmpty(1, uint32),
    deviceLocator: omitEmpty(2, text),
    bankLocator: omitEmpty(3, text),
    speed: omitEmpty(4, uint32),
    manufacturer: omitEmpty(5, text),
    serialNumber: omitEmpty(6, text),
    assetTag: omitEmpty(7, text),
    productName: omitEmpty(8, text),
  },
});

export type MemoryModuleSpec = SpecOf<typeof MemoryModule>;
