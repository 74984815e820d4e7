import { constants, sign, verify, type KeyObject } from "node:crypto";
import { readDer, readOid, readBitString, type DerElement } from "../der/der-read.ts";
import { tags } from "../der/der-tags.ts";
import { bitString, element, oid, sequence } from "../der/der-write.ts";
import { cryptoError, guard } from "../errors.ts";
import { keyTypeOf, type KeyType } from "../keys.ts";

interface SignatureAlgorithm {
  readonly oid: string;
  readonly key: KeyType;
  /** `null` where the algorithm fixes its own hash. */
  readonly hash: "sha256" | "sha384" | "sha512" | null;
  /** RSA wants a NULL parameter, the others none (RFC 4055, RFC 5758, RFC 8410). */
  readonly nullParameters: boolean;
}

const algorithms: readonly SignatureAlgorithm[] = [
  { oid: "1.3.101.112", key: "ed25519", hash: null, nullParameters: false },
  { oid: "1.2.840.10045.4.3.2", key: "ecdsa", hash: "sha256", nullParameters: false },
  { oid: "1.2.840.10045.4.3.3", key: "ecdsa", hash: "sha384", nullParameters: false },
  { oid: "1.2.840.10045.4.3.4", key: "ecdsa", hash: "sha512", nullParameters: false },
  { oid: "1.2.840.113549.1.1.11", key: "rsa", hash: "sha256", nullParameters: true },
  { oid: "1.2.840.113549.1.1.12", key: "rsa", hash: "sha384", nullParameters: true },
  { oid: "1.2.840.113549.1.1.13", key: "rsa", hash: "sha512", nullParameters: true },
];

const hashByCurve: Readonly<Record<string, SignatureAlgorithm["hash"]>> = {
  prime256v1: "sha256",
  secp384r1: "sha384",
  secp521r1: "sha512",
};

const hashByKey: Readonly<Record<KeyType, (key: KeyObject) => SignatureAlgorithm["hash"]>> = {
  ed25519: () => null,
  ecdsa: (key) => hashByCurve[key.asymmetricKeyDetails?.namedCurve ?? ""] ?? "sha256",
  rsa: () => "sha512",
};

function algorithmFor(key: KeyObject): SignatureAlgorithm {
  const type = keyTypeOf(key);
  const hash = hashByKey[type](key);
  const algorithm = algorithms.find((candidate) => candidate.key === type && candidate.hash === hash);
  if (algorithm === undefined) throw cryptoError("crypto/unsupported-key", `No signature algorithm for a ${type} key`);
  return algorithm;
}

/** The `AlgorithmIdentifier` under which `key` signs. */
export function signatureAlgorithmOf(key: KeyObject): Buffer {
  const algorithm = algorithmFor(key);
  return sequence(oid(algorithm.oid), ...(algorithm.nullParameters ? [element(tags.null)] : []));
}

/** `SEQUENCE { body, algorithm, signature }`: the outer shape of certificates and requests alike. */
export function signDer(body: Buffer, key: KeyObject): Buffer {
  const { hash } = algorithmFor(key);
  return sequence(body, signatureAlgorithmOf(key), bitString(sign(hash, body, key)));
}

/** A signed structure taken apart; the signature has not been looked at. */
export interface Signed {
  readonly body: DerElement;
  /** The whole `AlgorithmIdentifier`. */
  readonly algorithm: Buffer;
  readonly algorithmOid: string;
  readonly signature: Buffer;
}

export function readSigned(outer: DerElement): Signed {
  const reader = readDer(outer.body);
  const body = reader.expect(tags.sequence, "the signed part");
  const algorithm = reader.expect(tags.sequence, "the signature algorithm");
  const signature = readBitString(reader.expect(tags.bitString, "the signature"));
  reader.end("the signature");
  const algorithmOid = readOid(readDer(algorithm.body).expect(tags.oid, "an algorithm"));
  return { body, algorithm: algorithm.raw, algorithmOid, signature };
}

/**
 * Checks who signed.
 *
 * @param what Names the signed thing in the error.
 * @throws `crypto/unsupported-signature` for algorithms outside the table (SHA-1 among them), `crypto/bad-signature`
 *   when the key is of another type or did not make the signature.
 */
export function verifySigned(signed: Signed, publicKey: KeyObject, what: string): void {
  const algorithm = algorithms.find((candidate) => candidate.oid === signed.algorithmOid);
  if (algorithm === undefined) {
    throw cryptoError(
      "crypto/unsupported-signature",
      `${what} is signed with algorithm ${signed.algorithmOid}, which is not supported`,
    );
  }
  if (keyTypeOf(publicKey) !== algorithm.key) {
    throw cryptoError("crypto/bad-signature", `${what} is not signed by the expected type of key`);
  }
  const key = { key: publicKey, padding: constants.RSA_PKCS1_PADDING };
  const valid = guard("crypto/bad-signature", `Signature of ${what} cannot be checked`, () =>
    verify(algorithm.hash, signed.body.raw, algorithm.key === "rsa" ? key : publicKey, signed.signature),
  );
  if (!valid) throw cryptoError("crypto/bad-signature", `Signature of ${what} does not match`);
}
