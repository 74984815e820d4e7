import { isIP } from "node:net";
import { OsError } from "@talos-ts/base";
import type { MemberSpec } from "@talos-ts/machinery/resources/cluster";
import type { NodeLabels } from "./node-labels.ts";

/** A machine of the cluster, as its members know it. */
export interface KnownMember {
  readonly id: string;
  readonly spec: Pick<MemberSpec, "hostname" | "machineType" | "addresses">;
  /** Present when a term asks for them. */
  readonly labels?: NodeLabels;
}

/** Criteria that nodes can be chosen by, with the test of each. */
const criteria: Readonly<Record<string, (member: KnownMember, wanted: string) => boolean>> = {
  role: ({ spec }, wanted) => spec.machineType === wanted || (wanted === "controlplane" && spec.machineType === "init"),
  name: ({ id, spec }, wanted) => id === wanted || spec.hostname === wanted || spec.hostname.split(".")[0] === wanted,
  label: ({ labels = {} }, wanted) => {
    const [key = "", ...value] = wanted.split("=");
    return value.length === 0 ? key in labels : labels[key] === value.join("=");
  },
};

/** Reports whether a term asks for labels, which members do not tell by themselves. */
export function needsLabels(terms: readonly string[]): boolean {
  return terms.some((term) => term.startsWith("label="));
}

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
