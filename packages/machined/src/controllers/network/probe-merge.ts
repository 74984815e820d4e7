import type { Controller } from "@talos-ts/cosi";
import { ProbeSpec } from "@talos-ts/machinery/resources/network";
import { highestLayerWins } from "./internal/highest-layer-wins.ts";
import { layeredMerge } from "./internal/layered-merge.ts";
import { probeId } from "./internal/resource-ids.ts";

/** Merges probe specs: per endpoint the highest layer wins. */
export function probeMergeController(): Controller {
  return layeredMerge(ProbeSpec, highestLayerWins(probeId));
}
