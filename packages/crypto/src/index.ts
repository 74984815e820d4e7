export {
  createAuthority,
  loadAuthority,
  parsePair,
  type AuthorityInit,
  type CertificateAuthority,
  type PemPair,
} from "./x509/authority.ts";
export {
  certificateCoversHost,
  parseCertificate,
  parseCertificateDer,
  parseCertificates,
  type Certificate,
} from "./x509/certificate.ts";
export { systemEntropy, type Entropy } from "./entropy.ts";
export type { CryptoCondition } from "./errors.ts";
export { certificateExpiry, type CertificateExpiry, type CertificateStage } from "./x509/expiry.ts";
export type { SubjectAltNames } from "./x509/extensions.ts";
export { matchFingerprint, publicKeyFingerprint } from "./x509/fingerprint.ts";
export { issueCertificate, issuePair, leafKeyType, type LeafInit } from "./x509/issue.ts";
export {
  encodePrivateKey,
  encodePublicKey,
  encodePublicKeyInfo,
  generateKey,
  keyTypeOf,
  parsePrivateKey,
  tlsPrivateKey,
  type KeyType,
} from "./keys.ts";
export { formatName, type Name, type NameInit } from "./x509/name.ts";
export { extKeyUsageOids, type ExtKeyUsage, type KeyUsage } from "./der/oids.ts";
export { decodePem, encodePem, pemLabels, type PemBlock } from "./pem/pem.ts";
export { signDetached } from "./pkcs7/sign-detached.ts";
export { pemFromBase64, pemToBase64, redactedPem } from "./pem/pem-base64.ts";
export {
  createRequest,
  encodeRequest,
  parseRequest,
  type CertificateRequest,
  type RequestInit,
} from "./x509/request.ts";
export { tlsMaterial, type TlsMaterial } from "./tls-material.ts";
export { verifyCertificate, type VerifyOptions } from "./x509/verify.ts";
