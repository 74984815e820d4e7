import { isIP } from "node:net";
import { OsError } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import { Member, type MemberSpec } from "@talos-ts/machinery/resources/cluster";

/** A machine of the cluster, as its members know it. */
export interface KnownMember {
  readonly id: string;
  readonly spec: Pick<MemberSpec, "hostname" | "machineType" | "addresses">;
}

/** What nodes can be chosen by, with the test of each. */
const criteria: Readonly<Record<string, (member: KnownMember, wanted: string) => boolean>> = {
  role: ({ spec }, wanted) => spec.machineType === wanted || (wanted === "controlplane" && spec.machineType === "init"),
  name: ({ id, spec }, wanted) => id === wanted || spec.hostname === wanted || spec.hostname.split(".")[0] === wanted,
};

/**
 * The addresses behind names of members: each name that a member has, in the place where it stood. What is no member's name is left
 * for the endpoint to resolve.
 */
export function addressesOfNames(nodes: readonly string[], members: readonly KnownMember[]): readonly string[] {
  return nodes.map((node) => {
    const member = isIP(node) === 0 ? members.find((each) => criteria["name"]?.(each, node)) : undefined;
    return member?.spec.addresses[0] ?? node;
  });
}

/**
 * The addresses of the members for which all terms (`role=worker`) hold.
 *
 * @throws {OsError} `cli/bad-selector`, or `cli/no-such-nodes` when there are none.
 */
export function selectMembers(terms: readonly string[], members: readonly KnownMember[]): readonly string[] {
  const tests = terms.map((term) => {
    const [, key = "", wanted = ""] = /^([a-z]+)=(.+)$/.exec(term) ?? [];
    const test = criteria[key];
    if (test === undefined || wanted === "") throw badSelector(term);
    return (member: KnownMember) => test(member, wanted);
  });
  const chosen = members.filter((member) => tests.every((test) => test(member)));
  const addresses = chosen.flatMap(({ spec }) => spec.addresses.slice(0, 1));
  if (addresses.length === 0) throw nobody(terms, members);
  return addresses;
}

/** Resolves `--nodes` and `--on` through the members that the endpoint knows; asks only when there is something to resolve. */
export async function resolveNodes(
  connection: ApiConnection,
  nodes: readonly string[],
  terms: readonly string[],
): Promise<readonly string[]> {
  if (terms.length === 0 && nodes.every((node) => isIP(node) !== 0)) return nodes;
  const listing = openResources(connection, undefined, [Member]).list(Member);
  // A name may still be one that the endpoint can resolve; terms mean nothing without members.
  const found = await (terms.length === 0 ? listing.catch(() => []) : listing);
  const members = found.map(({ metadata, spec }) => ({ id: metadata.id, spec }));
  return [...addressesOfNames(nodes, members), ...(terms.length === 0 ? [] : selectMembers(terms, members))];
}

function badSelector(term: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "cli/bad-selector",
    message: `Cannot choose nodes by "${term}": expected ${Object.keys(criteria)
      .map((key) => `${key}=<value>`)
      .join(" or ")}`,
    next: "talosctl get members",
  });
}

function nobody(terms: readonly string[], members: readonly KnownMember[]): OsError {
  const known = members.map(({ id, spec }) => `${id} (${spec.machineType})`).join(", ");
  return new OsError({
    kind: "not-found",
    code: "cli/no-such-nodes",
    message: `No member of the cluster is ${terms.join(" and ")}; there are ${known || "none"}`,
    next: "talosctl get members",
  });
}
