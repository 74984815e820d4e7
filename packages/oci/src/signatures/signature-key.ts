import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { OsError } from "@talos-ts/base";

/** A public key that signatures of images are checked with. */
export interface SignatureKey {
  verifies(message: Uint8Array, signature: Uint8Array): boolean;
}

/** Ed25519 hashes by itself; the others sign a SHA-256, ECDSA as DER and RSA as PKCS #1 v1.5. */
const hashes: Readonly<Record<string, string | null>> = { ec: "sha256", rsa: "sha256", ed25519: null };

/**
 * Reads a public key or a certificate in PEM: ECDSA, RSA or Ed25519.
 *
 * @throws invalid-argument
 */
export function parseSignatureKey(pem: string): SignatureKey {
  const key = read(pem);
  const hash = hashes[key.asymmetricKeyType ?? ""];
  if (hash === undefined) {
    throw invalid(`signatures with keys of type ${key.asymmetricKeyType ?? "unknown"} cannot be checked`);
  }
  return { verifies: (message, signature) => verify(hash, message, key, signature) };
}

function read(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (err) {
    throw invalid("the verifier's certificate is neither a public key nor a certificate in PEM", err);
  }
}

function invalid(message: string, cause?: unknown): OsError {
  return new OsError({ kind: "invalid-argument", code: "image/bad-verifier", message, cause });
}
