export {
  createAuthority,
  loadAuthority,
  parsePair,
  type AuthorityInit,
  type CertificateAuthority,
  type PemPair,
} from "./authority.ts";
export {
  certificateCoversHost,
  encodeCertificate,
  parseCertificate,
  parseCertificateDer,
  parseCertificates,
  type Certificate,
} from "./certificate.ts";
export { systemEntropy, type Entropy } from "./entropy.ts";
export type { CryptoCondition } from "./errors.ts";
export { certificateExpiry, type CertificateExpiry, type CertificateStage } from "./expiry.ts";
export type { SubjectAltNames } from "./extensions.ts";
export { matchFingerprint, publicKeyFingerprint } from "./fingerprint.ts";
export { issueCertificate, issuePair, leafKeyType, type LeafInit } from "./issue.ts";
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
export { formatName, type Name, type NameInit } from "./name.ts";
export { extKeyUsageOids, type ExtKeyUsage, type KeyUsage } from "./oids.ts";
export { decodePem, encodePem, pemLabels, type PemBlock } from "./pem.ts";
export { pemFromBase64, pemToBase64, redactedPem } from "./pem-base64.ts";
export { createRequest, encodeRequest, parseRequest, type CertificateRequest, type RequestInit } from "./request.ts";
export { verifyCertificate, type VerifyOptions } from "./verify.ts";
