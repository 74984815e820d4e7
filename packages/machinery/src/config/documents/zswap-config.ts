import { document } from "../schema/document.ts";
import { boolean, integer } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

export const zswapConfig = document({
  kind: "ZswapConfig",
  schemaName: "block.ZswapConfigV1Alpha1",
  doc: "A compressed cache in memory for pages on their way to swap.",
  fields: {
    maxPoolPercent: property(integer({ keepZero: true }), "Share of memory the cache may take, from 0 to 100.", {
      example: 25,
    }),
    shrinkerEnabled: property(boolean, "Whether cold pages are written out under pressure."),
  },
  validate: ({ maxPoolPercent = 0 }, check) => {
    if (maxPoolPercent < 0 || maxPoolPercent > 100)
      check.error(["maxPoolPercent"], "maxPoolPercent must be between 0 and 100");
  },
});
