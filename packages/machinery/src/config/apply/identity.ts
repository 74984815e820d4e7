import type { Config } from "../config.ts";

/** A field that ties a machine to its cluster. */
export type IdentityField = "machine.ca" | "machine.token" | "cluster.id";

/**
 * Lists the fields that would make a running machine a member of another cluster, or lock its operators out.
 *
 * A field that is empty on either side is not compared. A certificate authority may be replaced when one side accepts the
 * other's (`machine.acceptedCAs`), which is how a rotation proceeds.
 */
export function identityChanges(current: Config, next: Config): readonly IdentityField[] {
  const differs = (left: string | undefined, right: string | undefined): boolean =>
    left !== undefined && left !== "" && right !== undefined && right !== "" && left !== right;
  const changes: Readonly<Record<IdentityField, boolean>> = {
    "machine.ca": differs(current.machine?.ca?.crt, next.machine?.ca?.crt) && !overlap(current, next),
    "machine.token": differs(current.machine?.token, next.machine?.token),
    "cluster.id": differs(current.cluster?.id, next.cluster?.id),
  };
  return (Object.keys(changes) as IdentityField[]).filter((field) => changes[field]);
}

function overlap(current: Config, next: Config): boolean {
  const accepts = (left: Config, right: Config): boolean =>
    (left.machine?.acceptedCAs ?? []).some(({ crt }) => crt === right.machine?.ca?.crt);
  return accepts(current, next) || accepts(next, current);
}
