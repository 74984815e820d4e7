import type { Controller } from "@talos-ts/cosi";
import { LinkSpec, type LinkSpecSpec } from "@talos-ts/machinery/resources/network";
import { byLayer } from "./internal/config-layers.ts";
import { layeredMerge } from "./internal/layered-merge.ts";

/** Merges link specs by link name: fields set in a higher layer override those of lower layers. */
export function linkMergeController(): Controller {
  return layeredMerge(LinkSpec, (specs) => {
    const links = new Map<string, LinkSpecSpec>();
    for (const spec of byLayer(specs)) {
      const below = links.get(spec.name);
      links.set(spec.name, below === undefined ? spec : overlay(below, spec));
    }
    return links;
  });
}

function overlay(below: LinkSpecSpec, above: LinkSpecSpec): LinkSpecSpec {
  const zero: Readonly<Record<string, unknown>> = { ...LinkSpec.spec() };
  const set = Object.entries(above).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(zero[key]));
  return { ...below, ...Object.fromEntries(set) };
}
