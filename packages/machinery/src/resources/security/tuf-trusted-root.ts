import { defineResource, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { time } from "../values/index.ts";

/** The root of trust image signatures are verified with. */
export const TUFTrustedRoot = defineResource({
  type: "TUFTrustedRoots.security.talos.dev",
  namespace: "security",
  columns: [["Last Refresh", "{.lastRefreshTime}"]],
  id: "trusted_root.json",
  spec: {
    lastRefreshTime: omitEmpty(1, time),
    jsonData: omitEmpty(2, text),
  },
});

export type TUFTrustedRootSpec = SpecOf<typeof TUFTrustedRoot>;
