import { prefixContains } from "./prefix.ts";

/**
 * Selects addresses by subnets, in the order of the subnets. A subnet that begins with `!` excludes; without any subnet that
 * includes, all are included. An address among the subnets is the prefix of itself alone.
 */
export function filterAddresses(addresses: readonly string[], subnets: readonly string[]): readonly string[] {
  const excluded = subnets.filter((subnet) => subnet.startsWith("!")).map((subnet) => subnet.slice(1));
  const included = subnets.filter((subnet) => !subnet.startsWith("!"));
  const left = addresses.filter((address) => !excluded.some((subnet) => prefixContains(subnet, address)));
  if (included.length === 0) return left;
  return [...new Set(included.flatMap((subnet) => left.filter((address) => prefixContains(subnet, address))))];
}
