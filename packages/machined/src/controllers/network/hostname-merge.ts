import type { Controller } from "@talos-ts/cosi";
import { HostnameSpec, type HostnameSpecSpec } from "@talos-ts/machinery/resources/network";
import { highestLayerWins } from "./internal/highest-layer-wins.ts";
import { layeredMerge } from "./internal/layered-merge.ts";

const highestHostname = highestLayerWins<HostnameSpecSpec>(() => HostnameSpec.id);

/** Merges hostname specs: the highest layer that has a hostname wins. */
export function hostnameMergeController(): Controller {
  return layeredMerge(HostnameSpec, (specs) => highestHostname(specs.filter(({ hostname }) => hostname !== "")));
}
