import { defineResource, field, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { addressFlags, family, scope } from "../enums/index.ts";
import { ip, ipPrefix } from "../values/index.ts";

/** An address that is on a link. In `cluster`, the public address the discovery service sees. */
export const AddressStatus = defineResource({
  type: "AddressStatuses.net.talos.dev",
  namespace: "network",
  aliases: ["address", "addresses"],
  columns: [
    ["Address", "{.address}"],
    ["Link", "{.linkName}"],
  ],
  spec: {
    address: field(1, ipPrefix),
    local: omitEmpty(2, ip),
    broadcast: omitEmpty(3, ip),
    anycast: omitEmpty(4, ip),
    multicast: omitEmpty(5, ip),
    linkIndex: field(6, uint32),
    linkName: field(7, text),
    family: field(8, family),
    scope: field(9, scope),
    flags: field(10, addressFlags),
    priority: field(11, uint32),
  },
});

export type AddressStatusSpec = SpecOf<typeof AddressStatus>;
