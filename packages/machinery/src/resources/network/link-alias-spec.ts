import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** An alias a link should have. */
export const LinkAliasSpec = defineResource({
  type: "LinkAliasSpecs.net.talos.dev",
  namespace: "network",
  columns: [["Alias", "{.alias}"]],
  spec: {
    alias: field(1, text),
  },
});

export type LinkAliasSpecSpec = SpecOf<typeof LinkAliasSpec>;
