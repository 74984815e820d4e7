import { defineResource, field, int64, type SpecOf } from "../dsl/index.ts";

/** Asks for the state of a link to be read again. */
export const LinkRefresh = defineResource({
  type: "LinkRefreshes.net.talos.dev",
  namespace: "network",
  spec: {
    generation: field(1, int64),
  },
});

export type LinkRefreshSpec = SpecOf<typeof LinkRefresh>;
