import { callerKey, MetadataPatch, type Peer } from "@talos-ts/grpc";
import { metadataKeys } from "@talos-ts/machinery/constants";
import { roles as allRoles, type RoleSet } from "@talos-ts/machinery/roles";
import type { AccountHolder } from "./caller-accounts.ts";
import { callerRoles, type RoleMode } from "./caller-roles.ts";

/** Roles of a call, in the forms in which they are needed. */
export interface GrantedRoles {
  readonly set: RoleSet;
  /** For the audit record and for machined, in alphabetical order. */
  readonly sorted: readonly string[];
  /** The metadata for machined on this node: the caller's, with the roles set by apid. */
  readonly local: MetadataPatch;
}

/** Facts about a caller that hold for all calls of its connection. */
export interface CallerFacts {
  readonly holder: AccountHolder;
  readonly granted: GrantedRoles;
  /** The certificate may name roles of somebody else. */
  readonly impersonates: boolean;
}

export interface CallerFactsMode extends RoleMode {
  readonly skipVerifyingClientCert: boolean;
}

/** Creates the lookup of callers by connection: a connection has many calls and one certificate. */
export function createCallerFacts(mode: CallerFactsMode): (peer: Peer) => CallerFacts {
  const known = new WeakMap<Peer, CallerFacts>();
  return (peer) => {
    const found = known.get(peer);
    if (found !== undefined) return found;
    const organizations = mode.skipVerifyingClientCert ? [] : (peer.tls?.organizations ?? []);
    const forwarder = organizations.includes(allRoles.impersonator);
    const facts: CallerFacts = {
      holder: { key: callerKey(peer), forwarder },
      granted: grantedRoles(callerRoles({ organizations, vouched: [], ip: peer.ip }, mode)),
      impersonates: forwarder && !mode.readonlyRoleMode,
    };
    known.set(peer, facts);
    return facts;
  };
}

export function grantedRoles(set: RoleSet): GrantedRoles {
  const sorted = [...set].toSorted();
  return { set, sorted, local: new MetadataPatch({ [metadataKeys.role]: sorted }, [metadataKeys.role]) };
}
