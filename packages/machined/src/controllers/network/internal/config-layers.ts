import { configLayer, type ConfigLayer } from "@talos-ts/machinery/resources/enums";

export type { ConfigLayer } from "@talos-ts/machinery/resources/enums";

interface Layered {
  readonly layer: ConfigLayer;
}

/** Rank of a source: default < cmdline < platform < operator < configuration. */
export function rankOf({ layer }: Layered): number {
  return configLayer.toNumber(layer);
}

/** Lowest layer first; equals keep their order. */
export function byLayer<T extends Layered>(specs: readonly T[]): readonly T[] {
  return specs.toSorted((a, b) => rankOf(a) - rankOf(b));
}
