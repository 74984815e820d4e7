import type { AddressSortAlgorithm } from "@talos-ts/machinery/resources/enums";
import { addressOf, compareAddresses, isIPv6, prefixContains, rangeOf } from "@talos-ts/base/net";

export type ComparePrefixes = (a: string, b: string) => number;

function lengthOf(prefix: string): number {
  return Number(prefix.split("/", 2)[1]);
}

/**
 * - `v1`: by family and address, shorter prefix first.
 * - `v2`: by family; of two prefixes one of which lies within the other the narrower first, so that a virtual `/32` comes
 *   before the subnet it is in; then by address.
 */
const algorithms: Readonly<Record<"v1" | "v2", ComparePrefixes>> = {
  v1: (a, b) => compareAddresses(addressOf(a), addressOf(b)) || lengthOf(a) - lengthOf(b),
  v2(a, b) {
    const order = compareAddresses(addressOf(a), addressOf(b));
    if (order === 0) return lengthOf(b) - lengthOf(a);
    if (isIPv6(a) !== isIPv6(b)) return order;
    const [aHasB, bHasA] = [prefixContains(a, b), prefixContains(b, a)];
    if (aHasB !== bHasA) return aHasB ? 1 : -1;
    return order;
  },
};

export function comparePrefixes(algorithm: AddressSortAlgorithm): ComparePrefixes {
  return algorithms[algorithm === "v2" ? "v2" : "v1"];
}

/** Returns what a node may be reached by: no loopback, no multicast, nothing that only counts on one link. */
export function isNodeAddress(prefix: string): boolean {
  const range = rangeOf(addressOf(prefix));
  return !["loopback", "multicast", "linkLocal", "unspecified"].includes(range);
}

/** Keeps what lies in an included subnet (or all, without any) and in no excluded one. */
export function filterPrefixes(
  prefixes: readonly string[],
  include: readonly string[],
  exclude: readonly string[],
): readonly string[] {
  return prefixes.filter(
    (prefix) =>
      (include.length === 0 || include.some((subnet) => prefixContains(subnet, prefix))) &&
      !exclude.some((subnet) => prefixContains(subnet, prefix)),
  );
}
