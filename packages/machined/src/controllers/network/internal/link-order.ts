import type { Resource } from "@talos-ts/cosi";
import type { LinkSpecSpec } from "@talos-ts/machinery/resources/network";

/** Name of the bond, bridge or VRF that a link should be a port of; empty for none. */
export function masterOf({ bondSlave, bridgeSlave, vrfSlave }: LinkSpecSpec): string {
  return [bondSlave, bridgeSlave, vrfSlave].map(({ masterName }) => masterName).find((name) => name !== "") ?? "";
}

/** Links in the order in which they can be made: after the link they are built on and the link they are a port of. */
export function linkOrder(resources: readonly Resource<LinkSpecSpec>[]): readonly Resource<LinkSpecSpec>[] {
  const specs = new Map(resources.map(({ spec }) => [spec.name, spec]));
  const depthOf = (name: string, above: readonly string[]): number => {
    const spec = specs.get(name);
    // Links in a circle cannot be made in any order; the kernel says so.
    if (spec === undefined || above.includes(name)) return 0;
    const needed = [spec.parentName, masterOf(spec)].filter((other) => other !== "");
    return 1 + Math.max(0, ...needed.map((other) => depthOf(other, [...above, name])));
  };
  const rank = ({ spec }: Resource<LinkSpecSpec>): readonly [number, number, string] => [
    depthOf(spec.name, []),
    spec.bondSlave.slaveIndex,
    spec.name,
  ];
  return resources
    .map((resource) => ({ resource, rank: rank(resource) }))
    .toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || (a.rank[2] < b.rank[2] ? -1 : 1))
    .map(({ resource }) => resource);
}
