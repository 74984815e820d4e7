import { document } from "../schema/document.ts";
import { choice } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

export const networkDefaultActionConfig = document({
  kind: "NetworkDefaultActionConfig",
  schemaName: "network.DefaultActionConfigV1Alpha1",
  doc: "What the ingress firewall does with traffic no rule is about.",
  fields: {
    ingress: property(
      choice("DefaultAction", ["accept", "block"], { zero: "accept", json: { enum: ["accept", "block"] } }),
      "Whether traffic is accepted or blocked.",
      {
        always: true,
      },
    ),
  },
});
