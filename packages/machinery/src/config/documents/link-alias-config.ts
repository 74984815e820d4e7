import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property, object } from "../schema/type.ts";
import { requireName } from "./shared/rules.ts";

const selector = object("network.LinkSelector", "Chooses links.", {
  match: property(string(), "CEL expression over link that is true for the link.", {
    example: 'mac(link.permanent_addr) == "00:1a:2b:3c:4d:5e"',
  }),
});

export const linkAliasConfig = document({
  kind: "LinkAliasConfig",
  schemaName: "network.LinkAliasConfigV1Alpha1",
  doc: "A second name for a link found by its hardware.",
  name: "The alias; ending in %d it numbers all links that match.",
  fields: { selector: property(selector, "Chooses the link.", { inlineStruct: true }) },
  validate: (alias, check) => {
    requireName(alias, check);
    const { name = "" } = alias;
    const verb = name.indexOf("%");
    if (verb >= 0 && (verb === 0 || name.slice(verb + 1) !== "d")) {
      check.error(["name"], `name ${JSON.stringify(name)} contains an invalid format verb, use %d suffix`);
    }
    const match = alias.selector?.match;
    if (match === undefined) check.error(["selector"], "link selector is required");
    else check.expression(["selector", "match"], match, "link", "link selector is invalid");
  },
});
