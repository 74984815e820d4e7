import { addressOf, isIPv6, maskPrefix, parsePrefix, prefixContains } from "@talos-ts/base/net";
import type { NfTablesChainSpec } from "@talos-ts/machinery/resources/network";

/** A rule of a chain. */
export type NftablesRule = NfTablesChainSpec["rules"][number];

export type AddressMatch = NonNullable<NftablesRule["matchSourceAddress"]>;

export type NftFamily = "ip" | "ip6";

/**
 * The matches that stand for an address match in one family, each an alternative: "in the included networks and in none of
 * the excluded ones", or the opposite of that. No alternative: nothing of the family matches. An empty one: everything.
 */
export function addressAlternatives(
  match: AddressMatch | undefined,
  family: NftFamily,
  direction: "saddr" | "daddr",
): readonly string[] {
  if (match === undefined) return [""];
  const of = (subnets: readonly string[]): readonly string[] =>
    disjoint(subnets.filter((subnet) => isIPv6(subnet) === (family === "ip6")).map(maskPrefix));
  const [included, excluded] = [of(match.includeSubnets), of(match.excludeSubnets)];
  const isIn = `${family} ${direction} { ${included.join(", ")} }`;
  const isNotIn = `${family} ${direction} != { ${included.join(", ")} }`;
  const isExcluded = `${family} ${direction} { ${excluded.join(", ")} }`;
  const isNotExcluded = `${family} ${direction} != { ${excluded.join(", ")} }`;
  if (match.invert) {
    if (included.length === 0) return [""];
    return excluded.length === 0 ? [isNotIn] : [isNotIn, isExcluded];
  }
  if (included.length === 0) return [];
  return excluded.length === 0 ? [isIn] : [`${isIn} ${isNotExcluded}`];
}

/** Networks without those that are part of another one: a set of nftables must not overlap. */
function disjoint(subnets: readonly string[]): readonly string[] {
  const wider = subnets.toSorted((a, b) => parsePrefix(a).length - parsePrefix(b).length);
  return wider.filter(
    (subnet, index) => !wider.slice(0, index).some((other) => prefixContains(other, addressOf(subnet))),
  );
}
