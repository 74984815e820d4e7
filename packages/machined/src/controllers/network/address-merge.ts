import type { Controller } from "@talos-ts/cosi";
import { AddressSpec } from "@talos-ts/machinery/resources/network";
import { highestLayerWins } from "./internal/highest-layer-wins.ts";
import { layeredMerge } from "./internal/layered-merge.ts";
import { addressId } from "./internal/resource-ids.ts";

/** Merges address specs: per link and address the highest layer wins. */
export function addressMergeController(): Controller {
  return layeredMerge(
    AddressSpec,
    highestLayerWins(({ linkName, address }) => addressId(linkName, address)),
  );
}
