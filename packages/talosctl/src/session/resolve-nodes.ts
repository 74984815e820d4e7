import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { addressesOfNames, selectMembers } from "./select-members.ts";

/** Resolves `--nodes` and `--on` through the members that the endpoint knows. */
export async function resolveNodes(
  connection: ApiConnection,
  nodes: readonly string[],
  terms: readonly string[],
): Promise<readonly string[]> {
  const listing = openResources(connection, undefined, [Member]).list(Member);
  // A name may still be one that the endpoint can resolve; terms mean nothing without members.
  const found = await (terms.length === 0 ? listing.catch(() => []) : listing);
  const members = found.map(({ metadata, spec }) => ({ id: metadata.id, spec }));
  return [...addressesOfNames(nodes, members), ...(terms.length === 0 ? [] : selectMembers(terms, members))];
}
