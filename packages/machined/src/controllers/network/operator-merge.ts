import type { Controller } from "@talos-ts/cosi";
import { OperatorSpec } from "@talos-ts/machinery/resources/network";
import { highestLayerWins } from "./internal/highest-layer-wins.ts";
import { layeredMerge } from "./internal/layered-merge.ts";
import { operatorId } from "./internal/resource-ids.ts";

/** Merges operator specs: per operator and link the highest layer wins. */
export function operatorMergeController(): Controller {
  return layeredMerge(OperatorSpec, highestLayerWins(operatorId));
}
