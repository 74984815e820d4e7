import { defineResource, omitEmpty, text, type SpecOf } from "../dsl/index.ts";

/** Manufacturer, product and serial number of the machine from SMBIOS. */
export const SystemInformation = defineResource({
  type: "SystemInformations.hardware.talos.dev",
  namespace: "hardware",
  aliases: ["systeminformation"],
  columns: [
    ["Manufacturer", "{.manufacturer}"],
    ["ProductName", "{.productName}"],
    ["Version", "{.version}"],
    ["SerialNumber", "{.serialnumber}"],
    ["UUID", "{.uuid}"],
    ["WakeUpType", "{.wakeUpType}"],
    ["SKUNumber", "{.skuNumber}"],
  ],
  id: "systeminformation",
  spec: {
    manufacturer: omitEmpty(1, text),
    productName: omitEmpty(2, text),
    version: omitEmpty(3, text),
    serialnumber: omitEmpty(4, text),
    uuid: omitEmpty(5, text),
    wakeUpType: omitEmpty(6, text),
    skuNumber: omitEmpty(7, text),
  },
});

export type SystemInformationSpec = SpecOf<typeof SystemInformation>;
