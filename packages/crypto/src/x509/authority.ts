import type { KeyObject } from "node:crypto";
import { parseCertificate, parseCertificateDer, type Certificate } from "./certificate.ts";
import { systemEntropy, type Entropy } from "../entropy.ts";
import { cryptoError } from "../errors.ts";
import { encodePrivateKey, encodePublicKeyInfo, parsePrivateKey, type KeyType } from "../keys.ts";
import { formatName, type NameInit } from "./name.ts";
import { encodePem, pemLabels } from "../pem/pem.ts";
import { encodeCertificateDer } from "./certificate-write.ts";

/** A certificate and its private key as PEM text: the form they have in files, configs and resources. */
export interface PemPair {
  readonly crt: string;
  readonly key: string;
}

/** Somebody who can sign certificates. */
export interface CertificateAuthority {
  readonly certificate: Certificate;
  readonly key: KeyObject;
  readonly pem: PemPair;
}

/** Subject and lifetime of a new CA. */
export interface AuthorityInit {
  readonly keyType: KeyType;
  /** Only organizations are used by the CAs of this system; it may be empty. */
  readonly subject: NameInit;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Addresses it can be used for as the certificate of a server itself. @default none */
  readonly ipAddresses?: readonly string[];
}

/** SKIDs are random rather than a SHA-1 of the key; RFC 5280 allows any unique value. */
const subjectKeyIdSize = 20;

/** A self-signed CA for TLS servers and clients. */
export async function createAuthority(
  init: AuthorityInit,
  entropy: Entropy = systemEntropy,
): Promise<CertificateAuthority> {
  const key = await entropy.key(init.keyType);
  const der = encodeCertificateDer({
    subject: init.subject,
    issuerKey: key,
    publicKeyInfo: encodePublicKeyInfo(key),
    notBefore: init.notBefore,
    notAfter: init.notAfter,
    keyUsages: ["digitalSignature", "keyCertSign"],
    extKeyUsages: ["serverAuth", "clientAuth"],
    ...(init.ipAddresses !== undefined && { ipAddresses: init.ipAddresses }),
    isCa: true,
    subjectKeyId: entropy.bytes(subjectKeyIdSize),
    entropy,
  });
  const pem = { crt: encodePem(pemLabels.certificate, der), key: encodePrivateKey(key) };
  return { certificate: parseCertificateDer(der), key, pem };
}

/**
 * Reads a pair and checks that the key belongs to the certificate.
 *
 * @throws `crypto/key-mismatch`, or whatever reading the two throws.
 */
export function parsePair(pem: PemPair): { readonly certificate: Certificate; readonly key: KeyObject } {
  const certificate = parseCertificate(pem.crt);
  const key = parsePrivateKey(pem.key);
  if (!encodePublicKeyInfo(key).equals(encodePublicKeyInfo(certificate.publicKey))) {
    throw cryptoError(
      "crypto/key-mismatch",
      `Private key does not belong to certificate "${formatName(certificate.subject)}"`,
    );
  }
  return { certificate, key };
}

/** A CA from its pair. @throws as `parsePair`, and `crypto/not-a-ca` for a certificate that must not sign others. */
export function loadAuthority(pem: PemPair): CertificateAuthority {
  const { certificate, key } = parsePair(pem);
  if (!certificate.isCa) {
    throw cryptoError("crypto/not-a-ca", `Certificate "${formatName(certificate.subject)}" is not a CA certificate`);
  }
  return { certificate, key, pem };
}
