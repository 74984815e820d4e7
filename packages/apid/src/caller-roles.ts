import { roles, roleSet, type RoleSet } from "@talos-ts/machinery/roles";

/** How roles are found, by the mode of the node. */
export interface RoleMode {
  /** Maintenance: there are no client certificates to trust, everyone reads. */
  readonly readonlyRoleMode: boolean;
}

/**
 * The roles of a caller: the Organization fields of its certificate; for a certificate that may impersonate, those that the
 * other apid vouches for.
 */
export function callerRoles(organizations: readonly string[], vouched: readonly string[], mode: RoleMode): RoleSet {
  if (mode.readonlyRoleMode) return roleSet(roles.reader);
  const own = roleSet(...organizations);
  if (own.has(roles.impersonator) && vouched.length > 0) return roleSet(...vouched);
  return own;
}
