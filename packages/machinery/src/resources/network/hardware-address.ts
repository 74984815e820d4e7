import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";
import { hardwareAddress } from "../values/index.ts";

/** MAC address of the first physical link. */
export const HardwareAddress = defineResource({
  type: "HardwareAddresses.net.talos.dev",
  namespace: "network",
  id: "first",
  spec: {
    name: field(1, text),
    hardwareAddr: field(2, hardwareAddress),
  },
});

export type HardwareAddressSpec = SpecOf<typeof HardwareAddress>;
