import { rankOf, type ConfigLayer } from "./config-layers.ts";
import type { Merge } from "./layered-merge.ts";

/** Merges specs by id: the highest layer wins; on the same layer the first spec does. */
export function highestLayerWins<S extends { readonly layer: ConfigLayer }>(idOf: (spec: S) => string): Merge<S> {
  return (specs) => {
    const winners = new Map<string, S>();
    for (const spec of specs) {
      const current = winners.get(idOf(spec));
      if (current === undefined || rankOf(spec) > rankOf(current)) winners.set(idOf(spec), spec);
    }
    return winners;
  };
}
