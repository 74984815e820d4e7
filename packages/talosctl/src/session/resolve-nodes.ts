import { describeError } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { labelsOf } from "./node-labels.ts";
import { addressesOfNames, needsLabels, selectMembers, type KnownMember } from "./select-members.ts";

/** Resolves `--nodes` and `--on` through the members that the endpoint knows. */
export async function resolveNodes(
  connection: ApiConnection,
  nodes: readonly string[],
  terms: readonly string[],
  warn: (text: string) => void,
): Promise<readonly string[]> {
  const listing = openResources(connection, undefined, [Member]).list(Member);
  // A name may still be one that the endpoint can resolve; terms mean nothing without members.
  const found = await (terms.length === 0 ? listing.catch(() => []) : listing);
  const known = found.map(({ metadata, spec }) => ({ id: metadata.id, spec }));
  const members = needsLabels(terms) ? await withLabels(connection, known, warn) : known;
  return [...addressesOfNames(nodes, members), ...(terms.length === 0 ? [] : selectMembers(terms, members))];
}

/** Asks all members at once; one that does not answer is told and cannot be chosen by its labels. */
async function withLabels(
  connection: ApiConnection,
  members: readonly KnownMember[],
  warn: (text: string) => void,
): Promise<readonly KnownMember[]> {
  return await Promise.all(
    members.map(async (member) => {
      const [address] = member.spec.addresses;
      if (address === undefined) return member;
      return await labelsOf(connection, address).then(
        (labels) => ({ ...member, labels }),
        (err: unknown) => {
          warn(`${member.id}: cannot read its labels: ${describeError(err)}`);
          return member;
        },
      );
    }),
  );
}
