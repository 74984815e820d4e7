import type { Controller } from "@talos-ts/cosi";
import { RoutingRuleSpec } from "@talos-ts/machinery/resources/network";
import { highestLayerWins } from "./internal/highest-layer-wins.ts";
import { layeredMerge } from "./internal/layered-merge.ts";
import { routingRuleId } from "./internal/resource-ids.ts";

/** Merges routing rule specs: per family and priority the highest layer wins. */
export function routingRuleMergeController(): Controller {
  return layeredMerge(
    RoutingRuleSpec,
    highestLayerWins(({ family, priority }) => routingRuleId(family, priority)),
  );
}
