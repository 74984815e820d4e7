import type { Resource } from "@talos-ts/cosi";
import type { LinkStatusSpec } from "@talos-ts/machinery/resources/network";
import { isPhysical } from "../link-status.ts";
import type { Device } from "./devices.ts";
import { glob } from "../../internal/glob.ts";

export type DeviceSelector = NonNullable<Device["deviceSelector"]>;

const patterns = {
  busPath: "busPath",
  hardwareAddr: "hardwareAddr",
  permanentAddr: "permanentAddr",
  pciID: "pciID",
  driver: "driver",
} as const satisfies Partial<Record<keyof DeviceSelector, keyof LinkStatusSpec>>;

/** Names of the links that a selector chooses, in order of their index. A selector without a condition chooses none. */
export function selectLinks(selector: DeviceSelector, links: readonly Resource<LinkStatusSpec>[]): readonly string[] {
  const conditions = Object.entries(patterns).flatMap(([key, field]) => {
    const pattern = selector[key as keyof typeof patterns];
    return pattern === undefined || pattern === "" ? [] : [{ field, pattern: pattern.toLowerCase() }];
  });
  const { physical } = selector;
  if (conditions.length === 0 && physical === undefined) return [];
  return links
    .filter(({ spec }) => conditions.every(({ field, pattern }) => glob(pattern, spec[field].toLowerCase())))
    .filter(({ spec }) => physical === undefined || isPhysical(spec) === physical)
    .toSorted((a, b) => a.spec.index - b.spec.index)
    .map(({ metadata }) => metadata.id);
}
