import { loadAuthority, type CertificateAuthority, type PemPair } from "./authority.ts";
import type { Certificate } from "./certificate.ts";
import { encodeCertificateDer } from "./certificate-write.ts";
import { systemEntropy, type Entropy } from "../entropy.ts";
import { encodePrivateKey, encodePublicKeyInfo, keyTypeOf } from "../keys.ts";
import type { NameInit } from "./name.ts";
import type { ExtKeyUsage, KeyUsage } from "../der/oids.ts";
import { encodePem, pemLabels } from "../pem/pem.ts";

/** Subject, names, usages and lifetime of a leaf certificate. */
export interface LeafInit {
  readonly subject: NameInit;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly keyUsages: readonly KeyUsage[];
  readonly extKeyUsages: readonly ExtKeyUsage[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A leaf certificate (PEM) for a public key somebody else holds. */
export function issueCertificate(
  authority: CertificateAuthority,
  publicKeyInfo: Uint8Array,
  init: LeafInit,
  entropy: Entropy = systemEntropy,
): string {
  const { certificate, key } = authority;
  const der = encodeCertificateDer({
    ...init,
    issuerDer: certificate.subject.der,
    issuerKey: key,
    publicKeyInfo,
    authorityKeyId: certificate.subjectKeyId,
    entropy,
  });
  return encodePem(pemLabels.certificate, der);
}

/** A leaf certificate with a fresh key of the same type as the CA's. */
export async function issuePair(
  authority: CertificateAuthority | PemPair,
  init: LeafInit,
  entropy: Entropy = systemEntropy,
): Promise<PemPair> {
  const issuer = "certificate" in authority ? authority : loadAuthority(authority);
  const key = await entropy.key(leafKeyType(issuer.certificate));
  return { crt: issueCertificate(issuer, encodePublicKeyInfo(key), init, entropy), key: encodePrivateKey(key) };
}

/** Leaves use the same type of key as the CA above them. */
export const leafKeyType = (authority: Certificate): ReturnType<typeof keyTypeOf> => keyTypeOf(authority.publicKey);
