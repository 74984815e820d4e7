import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { cryptoError, guard } from "./errors.ts";
import { encodePem, firstPemBlock, pemLabels } from "./pem/pem.ts";

/** The three kinds of keys the system makes: Ed25519, ECDSA on P-256, RSA of 4096 bits. */
export type KeyType = "ed25519" | "ecdsa" | "rsa";

const generate = promisify(generateKeyPair);

const generators: Readonly<Record<KeyType, (rsaBits: number) => Promise<{ readonly privateKey: KeyObject }>>> = {
  ed25519: () => generate("ed25519"),
  ecdsa: () => generate("ec", { namedCurve: "prime256v1" }),
  rsa: (modulusLength) => generate("rsa", { modulusLength }),
};

/**
 * Makes a key off the main thread; an RSA key takes seconds.
 *
 * @param rsaBits Size of an RSA key, for verifiers that take no other than theirs.
 */
export async function generateKey(type: KeyType, rsaBits = 4096): Promise<KeyObject> {
  return (await generators[type](rsaBits)).privateKey;
}

const typesByNode: Readonly<Record<string, KeyType>> = { ed25519: "ed25519", ec: "ecdsa", rsa: "rsa" };

/**
 * Returns which kind of key this is; the curve or size may differ from the ones made here.
 *
 * @throws `crypto/unsupported-key` for DSA, X25519 and the like.
 */
export function keyTypeOf(key: KeyObject): KeyType {
  const type = typesByNode[key.asymmetricKeyType ?? ""];
  if (type === undefined) {
    throw cryptoError(
      "crypto/unsupported-key",
      `Key type "${key.asymmetricKeyType ?? key.type}" is not supported, expected Ed25519, ECDSA or RSA`,
    );
  }
  return type;
}

const encodings = {
  ed25519: { label: pemLabels.ed25519, type: "pkcs8" },
  ecdsa: { label: pemLabels.ec, type: "sec1" },
  rsa: { label: pemLabels.rsa, type: "pkcs1" },
} as const satisfies Record<KeyType, { readonly label: string; readonly type: string }>;

/** The key as PEM under the label and in the encoding other tools of this system expect for its type. */
export function encodePrivateKey(key: KeyObject): string {
  const { label, type } = encodings[keyTypeOf(key)];
  return encodePem(label, key.export({ format: "der", type }));
}

const encodingsByLabel = {
  [pemLabels.pkcs8]: "pkcs8",
  [pemLabels.ed25519]: "pkcs8",
  [pemLabels.ec]: "sec1",
  [pemLabels.rsa]: "pkcs1",
} as const satisfies Record<string, "pkcs8" | "sec1" | "pkcs1">;

/**
 * Reads a private key under any of the four labels.
 *
 * @throws `crypto/bad-pem` without such a block, `crypto/bad-key` if it does not parse, `crypto/unsupported-key`.
 */
export function parsePrivateKey(pem: string): KeyObject {
  const { label, der } = firstPemBlock(pem, ...Object.keys(encodingsByLabel));
  const type = encodingsByLabel[label as keyof typeof encodingsByLabel];
  const key = guard("crypto/bad-key", `Private key "${label}" cannot be read`, () =>
    createPrivateKey({ key: der, format: "der", type }),
  );
  checkKey(key);
  return key;
}

const curves = new Set(["prime256v1", "secp384r1", "secp521r1"]);

/** Refuses keys that certificates here must not use: unusual curves, RSA below 1024 or above 8192 bits. */
function checkKey(key: KeyObject): void {
  const type = keyTypeOf(key);
  const { namedCurve = "", modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (type === "ecdsa" && !curves.has(namedCurve)) {
    throw cryptoError("crypto/unsupported-key", `Curve "${namedCurve}" is not one of ${[...curves].join(", ")}`);
  }
  if (type === "rsa" && (modulusLength < 1024 || modulusLength > 8192)) {
    throw cryptoError("crypto/unsupported-key", `RSA key of ${modulusLength} bits is outside 1024 to 8192`);
  }
}

/** The public half as `SubjectPublicKeyInfo` bytes. */
export function encodePublicKeyInfo(key: KeyObject): Buffer {
  return (key.type === "private" ? createPublicKey(key) : key).export({ format: "der", type: "spki" });
}

/** The public half as PEM, for example for the verification of service account tokens. */
export function encodePublicKey(key: KeyObject): string {
  return encodePem(pemLabels.publicKey, encodePublicKeyInfo(key));
}

/** @throws `crypto/bad-key` or `crypto/unsupported-key`. */
export function parsePublicKeyInfo(spki: Buffer): KeyObject {
  const key = guard("crypto/bad-key", "Public key cannot be read", () =>
    createPublicKey({ key: spki, format: "der", type: "spki" }),
  );
  checkKey(key);
  return key;
}

const relabel = /-----(BEGIN|END) ED25519 PRIVATE KEY-----/g;

/** The key under a label `node:tls` accepts: it knows Ed25519 keys only as plain `PRIVATE KEY`. */
export function tlsPrivateKey(pem: string): string {
  return pem.replaceAll(relabel, `-----$1 ${pemLabels.pkcs8}-----`);
}
