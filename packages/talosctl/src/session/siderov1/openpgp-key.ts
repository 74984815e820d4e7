import { OsError } from "@talos-ts/base";
import { generateKey, createMessage, readPrivateKey, sign, type PrivateKey } from "openpgp";
import type { Signer } from "./signed-headers.ts";

/** Lifetime of a key that the client makes, in seconds; the verifier accepts up to eight hours. */
const keyLifetimeSeconds = 4 * 3600;

/** A new key, to be registered and kept. */
export interface GeneratedKey {
  readonly signer: Signer;
  readonly armoredPublic: string;
  readonly armoredPrivate: string;
}

/**
 * Reads an armored OpenPGP private key that can sign now.
 *
 * @param source Where the key was found, for errors.
 * @throws `cli/bad-signing-key`; `cli/signing-key-expired` for a key that was good once.
 */
export async function readSigningKey(armored: string, source: string, now: Date): Promise<Signer> {
  const bad = (problem: string, cause?: unknown): OsError =>
    new OsError({
      kind: "unauthenticated",
      code: "cli/bad-signing-key",
      message: `Cannot sign calls with ${source}: ${problem}`,
      cause,
    });
  const key = await readPrivateKey({ armoredKey: armored }).catch((err: unknown) => {
    throw bad(`not an armored OpenPGP private key (${OsError.from(err).message})`, err);
  });
  if (!key.isDecrypted()) throw bad("the private key is protected by a passphrase");
  if (await key.isRevoked(undefined, undefined, now)) throw bad("the key is revoked");
  const expiry = await key.getExpirationTime().catch((err: unknown) => {
    throw bad(OsError.from(err).message, err);
  });
  if (expiry instanceof Date && expiry <= now) {
    throw new OsError({
      kind: "unauthenticated",
      code: "cli/signing-key-expired",
      message: `Cannot sign calls with ${source}: the key expired at ${expiry.toISOString()}`,
    });
  }
  return signerOf(key);
}

/** Makes an Ed25519 key for an identity that lives for four hours. */
export async function generateSigningKey(identity: string): Promise<GeneratedKey> {
  const { privateKey, publicKey } = await generateKey({
    curve: "ed25519Legacy",
    userIDs: [{ name: "talosctl", comment: `${process.platform}/${process.arch}`, email: identity }],
    keyExpirationTime: keyLifetimeSeconds,
    format: "object",
  });
  return { signer: signerOf(privateKey), armoredPublic: publicKey.armor(), armoredPrivate: privateKey.armor() };
}

function signerOf(key: PrivateKey): Signer {
  return {
    fingerprint: key.getFingerprint(),
    sign: async (data) =>
      sign({
        message: await createMessage({ binary: Uint8Array.from(data) }),
        signingKeys: key,
        detached: true,
        format: "binary",
      }),
  };
}
