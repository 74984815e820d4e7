import { parseCertificate, publicKeyFingerprint } from "@talos-ts/crypto";
import { createRoot, type RootName } from "@talos-ts/machinery/secrets";
import type { AuthorityRotation, RotationFile, Rotations } from "./rotation-file.ts";
import type { Rotation } from "./rotation.ts";

/** An authority that is to be replaced. */
export interface RotatedAuthority {
  readonly what: keyof Rotations;
  /** As in `New Talos CA`. */
  readonly title: string;
  readonly root: RootName;
  /** Certificate of the authority that issues now, PEM. */
  readonly present: string;
}

/**
 * Returns the authorities of the rotation that was begun, or a new one, which is kept before any node hears of it. A file about other
 * authorities than those of the cluster does not count.
 */
export async function beginRotation(
  { what, title, root, present }: RotatedAuthority,
  { dryRun, log, clock }: Rotation,
  begun: RotationFile,
): Promise<AuthorityRotation> {
  log(`> Current ${title} CA:`);
  log(`  ${describeAuthority(present)}`);
  const kept = (await begun.read())[what];
  const continued = kept !== undefined && [kept.former, kept.successor.crt].includes(present) ? kept : undefined;
  if (continued !== undefined) log(`> Continuing the rotation that was begun, from ${begun.path}`);
  const made = async (): Promise<AuthorityRotation> => ({
    former: present,
    successor: (await createRoot(root, new Date(clock.now()))).pem,
  });
  const rotation = continued ?? (await made());
  log(`> New ${title} CA:`);
  log(`  ${describeAuthority(rotation.successor.crt)}`);
  if (!dryRun) await begun.write(what, rotation);
  return rotation;
}

function describeAuthority(pem: string): string {
  const certificate = parseCertificate(pem);
  const { subject, notAfter } = certificate;
  return `O=${subject.organizations.join(",")}, valid until ${notAfter.toISOString().slice(0, 10)}, key ${publicKeyFingerprint(certificate)}`;
}
