import { createHash } from "node:crypto";
import type { Certificate } from "./certificate.ts";
import { cryptoError } from "../errors.ts";

/**
 * The SHA-256 of the public key in base64: what a person compares or pins to recognise a machine that has no trusted
 * certificate yet. It survives renewal as long as the key stays.
 */
export function publicKeyFingerprint(certificate: Pick<Certificate, "publicKeyInfo">): string {
  return createHash("sha256").update(certificate.publicKeyInfo).digest("base64");
}

/**
 * Accepts a peer by its key instead of by its issuer.
 *
 * @throws `crypto/untrusted` when no fingerprint matches.
 */
export function matchFingerprint(
  certificate: Pick<Certificate, "publicKeyInfo">,
  fingerprints: readonly string[],
): void {
  if (fingerprints.includes(publicKeyFingerprint(certificate))) return;
  throw cryptoError(
    "crypto/untrusted",
    `leaf peer certificate doesn't match the provided fingerprints: [${fingerprints.join(" ")}]`,
  );
}
