import { bool, defineResource, field, omitEmpty, text, uint32, type SpecOf } from "../dsl/index.ts";
import { addressFlags, configLayer, family, scope } from "../enums/index.ts";
import { ipPrefix } from "../values/index.ts";

/** An address that should be on a link: one per source in `network-config`, merged in `network`. */
export const AddressSpec = defineResource({
  type: "AddressSpecs.net.talos.dev",
  namespace: "network",
  spec: {
    address: field(1, ipPrefix),
    linkName: field(2, text),
    family: field(3, family),
    scope: field(4, scope),
    flags: field(5, addressFlags),
    announceWithARP: omitEmpty(6, bool),
    priority: omitEmpty(8, uint32),
    layer: field(7, configLayer),
  },
});

export type AddressSpecSpec = SpecOf<typeof AddressSpec>;
