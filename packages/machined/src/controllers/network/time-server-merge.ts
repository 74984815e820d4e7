import type { Controller } from "@talos-ts/cosi";
import { TimeServerSpec } from "@talos-ts/machinery/resources/network";
import { byLayer } from "./internal/config-layers.ts";
import { layeredMerge } from "./internal/layered-merge.ts";

/** Merges time server specs: servers of the highest layer that has any; those of one layer add up. */
export function timeServerMergeController(): Controller {
  return layeredMerge(TimeServerSpec, (specs) => {
    const top = byLayer(specs.filter(({ timeServers }) => timeServers.length > 0)).at(-1);
    if (top === undefined) return [];
    const timeServers = specs.filter(({ layer }) => layer === top.layer).flatMap((spec) => spec.timeServers);
    return [[TimeServerSpec.id, { ...top, timeServers }]];
  });
}
