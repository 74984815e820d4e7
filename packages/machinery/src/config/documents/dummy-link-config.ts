import { document } from "../schema/document.ts";
import { hardwareAddressFormat } from "../schema/formats.ts";
import { property } from "../schema/type.ts";
import { commonLink, otherLinkKinds, validateCommonLink } from "./shared/link.ts";
import { requireName } from "./shared/rules.ts";

export const dummyLinkConfig = document({
  kind: "DummyLinkConfig",
  schemaName: "network.DummyLinkConfigV1Alpha1",
  doc: "A link without hardware that drops what it is given; a place for addresses.",
  name: "Name of the link.",
  conflictsWith: otherLinkKinds("DummyLinkConfig"),
  fields: {
    hardwareAddr: property(hardwareAddressFormat, "Hardware address of the link."),
    ...commonLink,
  },
  validate: (link, check) => {
    requireName(link, check);
    validateCommonLink(link, check);
  },
});
