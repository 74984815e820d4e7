import { document } from "../schema/document.ts";
import { commonLink, otherLinkKinds, validateCommonLink } from "./shared/link.ts";
import { requireName } from "./shared/rules.ts";

export const linkConfig = document({
  kind: "LinkConfig",
  schemaName: "network.LinkConfigV1Alpha1",
  doc: "A physical link.",
  name: "Name or alias of the link.",
  conflictsWith: otherLinkKinds("LinkConfig"),
  fields: commonLink,
  validate: (link, check) => {
    requireName(link, check);
    validateCommonLink(link, check);
  },
});
