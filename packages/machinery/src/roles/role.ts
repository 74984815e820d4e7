/**
 * Rights of a caller, named in the Organization fields of its client certificate.
 *
 * - `os:admin`: everything
 * - `os:operator`: reads, and keeps the machine running (restart, reboot, defragment, …)
 * - `os:reader`: reads what is not secret
 * - `os:etcd:backup`: reads etcd and takes snapshots
 * - `os:image:verifier`: asks whether an image is trusted (the container runtimes on the node)
 * - `os:meta:writer`: writes META values (the dashboard on the node)
 * - `os:impersonator`: speaks for somebody else (apid calling another apid)
 */
export const roles = {
  admin: "os:admin",
  operator: "os:operator",
  reader: "os:reader",
  etcdBackup: "os:etcd:backup",
  imageVerifier: "os:image:verifier",
  metaWriter: "os:meta:writer",
  impersonator: "os:impersonator",
} as const;

/** Roles of one caller. Unknown names are kept: a newer peer may know them. */
export type RoleSet = ReadonlySet<string>;

/** Makes a set of role names; empty names are dropped. */
export function roleSet(...names: readonly string[]): RoleSet {
  return new Set(names.filter((name) => name !== ""));
}

/** Gives the roles that are in both sets. */
export function intersectRoles(a: RoleSet, b: RoleSet): RoleSet {
  return new Set([...a].filter((role) => b.has(role)));
}

/** Reports whether one of the wanted roles is in the set. */
export function includesAny(have: RoleSet, wanted: readonly string[]): boolean {
  return wanted.some((role) => have.has(role));
}
