import { roles, roleSet, type RoleSet } from "@talos-ts/machinery/roles";
import { isSideroLink } from "@talos-ts/base/net";

/** Sources of the caller's roles, by the mode of the node. */
export interface RoleMode {
  /** Maintenance: there are no client certificates to trust, so everyone reads, and the management tunnel does all. */
  readonly readonlyRoleMode: boolean;
}

/** Facts about a caller from which its roles follow. */
export interface Caller {
  /** Organizations of the verified client certificate. */
  readonly organizations: readonly string[];
  /** Roles that the caller names for somebody else, from metadata. */
  readonly vouched: readonly string[];
  readonly ip: string | undefined;
}

/**
 * The roles of a caller: the Organization fields of its certificate; for a certificate that may impersonate, those that the
 * other apid vouches for.
 */
export function callerRoles(caller: Caller, mode: RoleMode): RoleSet {
  if (mode.readonlyRoleMode) {
    return roleSet(caller.ip !== undefined && isSideroLink(caller.ip) ? roles.admin : roles.reader);
  }
  const own = roleSet(...caller.organizations);
  if (own.has(roles.impersonator) && caller.vouched.length > 0) return roleSet(...caller.vouched);
  return own;
}
