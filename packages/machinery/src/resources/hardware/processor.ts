import { defineResource, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";

/** A processor from SMBIOS. */
export const Processor = defineResource({
  type: "Processors.hardware.talos.dev",
  namespace: "hardware",
  aliases: ["cpus", "cpu"],
  columns: [
    ["Manufacturer", "{.manufacturer}"],
    ["Model", "{.productName}"],
    ["Cores", "{.coreCount}"],
    ["Threads", "{.threadCount}"],
  ],
  spec: {
    socket: omitEmpty(1, text),
    manufacturer: omitEmpty(2, text),
    productName: omitEmpty(3, text),
    maxSpeedMhz: omitEmpty(4, uint32),
    bootSpeedMhz: omitEmpty(5, uint32),
    status: omitEmpty(6, uint32),
    serialNumber: omitEmpty(7, text),
    assetTag: omitEmpty(8, text),
    partNumber: omitEmpty(9, text),
    coreCount: omitEmpty(10, uint32),
    coreEnabled: omitEmpty(11, uint32),
    threadCount: omitEmpty(12, uint32),
  },
});

export type ProcessorSpec = SpecOf<typeof Processor>;
