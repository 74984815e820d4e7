/** Object identifiers by the names the code uses. */
export const oids = {
  organization: "2.5.4.10",
  commonName: "2.5.4.3",

  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  authorityKeyId: "2.5.29.35",
  extKeyUsage: "2.5.29.37",

  extensionRequest: "1.2.840.113549.1.9.14",
} as const;

/** Purposes a certificate may be used for, by their RFC 5280 names. */
export const extKeyUsageOids = {
  any: "2.5.29.37.0",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
} as const;

export type ExtKeyUsage = keyof typeof extKeyUsageOids;

/** Key usages (RFC 5280 section 4.2.1.3); the number is the bit of the extension. */
export const keyUsageBits = {
  digitalSignature: 0,
  contentCommitment: 1,
  keyEncipherment: 2,
  dataEncipherment: 3,
  keyAgreement: 4,
  keyCertSign: 5,
  crlSign: 6,
  encipherOnly: 7,
  decipherOnly: 8,
} as const;

export type KeyUsage = keyof typeof keyUsageBits;
