import { OsError } from "@talos-ts/base";
import type { Metadata } from "@talos-ts/grpc";
import { identityChanges, type Config, type IdentityField } from "@talos-ts/machinery/config";
import { allowIdentityChangeKey } from "@talos-ts/machinery/constants";

const consequences: Readonly<Record<IdentityField, string>> = {
  "machine.ca": "the present talosconfig and the other nodes stop being trusted",
  "machine.token": "control plane nodes with the old token refuse to issue certificates",
  "cluster.id": "the node leaves the discovery of its cluster",
};

/**
 * Refuses a configuration that would move a running machine to another cluster.
 *
 * @throws {OsError} `config/other-cluster` unless the caller confirmed it in its metadata
 */
export function checkIdentity(current: Config, next: Config, metadata: Pick<Metadata, "get">): void {
  const changes = identityChanges(current, next);
  if (changes.length === 0 || metadata.get(allowIdentityChangeKey) === "true") return;
  throw new OsError({
    kind: "failed-precondition",
    code: "config/other-cluster",
    message: `the configuration belongs to another cluster: ${describeChanges(changes)}`,
    details: { paths: changes },
    next: "talosctl apply-config --dry-run --file <config.yaml>; to go ahead all the same, add --allow-identity-change",
  });
}

/** Describes for a dry run what `checkIdentity` would refuse; empty when there is nothing to refuse. */
export function describeIdentityChange(current: Config | undefined, next: Config): string {
  const changes = current === undefined ? [] : identityChanges(current, next);
  if (changes.length === 0) return "";
  return `WARNING: the configuration belongs to another cluster and is refused without --allow-identity-change: ${describeChanges(changes)}\n\n`;
}

function describeChanges(changes: readonly IdentityField[]): string {
  return changes.map((field) => `${field} differs (${consequences[field]})`).join("; ");
}
