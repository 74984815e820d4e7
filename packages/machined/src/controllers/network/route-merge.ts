import type { Controller } from "@talos-ts/cosi";
import { RouteSpec, type RouteSpecSpec } from "@talos-ts/machinery/resources/network";
import { highestLayerWins } from "./internal/highest-layer-wins.ts";
import { layeredMerge } from "./internal/layered-merge.ts";
import { routeId } from "./internal/resource-ids.ts";

/** Merges route specs: per route id the highest layer wins. */
export function routeMergeController(): Controller {
  return layeredMerge(RouteSpec, highestLayerWins<RouteSpecSpec>(routeId));
}
