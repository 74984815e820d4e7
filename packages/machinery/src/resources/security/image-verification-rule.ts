import { bool, defineResource, field, message, omitEmpty, optional, text, type SpecOf } from "../dsl/index.ts";

const imageKeylessVerifier = message({
  issuer: field(1, text),
  subject: omitEmpty(2, text),
  subjectRegex: omitEmpty(3, text),
});

const imagePublicKeyVerifier = message({
  certificate: field(1, text),
});

/** Images that must be signed, and their signers. */
export const ImageVerificationRule = defineResource({
  type: "ImageVerificationRules.security.talos.dev",
  namespace: "security",
  columns: [
    ["Pattern", "{.imagePattern}"],
    ["Skip", "{.skip}"],
    ["Deny", "{.deny}"],
  ],
  spec: {
    imagePattern: omitEmpty(2, text),
    skip: field(3, bool),
    deny: field(4, bool),
    keylessVerifier: omitEmpty(5, optional(imageKeylessVerifier)),
    publicKeyVerifier: omitEmpty(6, optional(imagePublicKeyVerifier)),
  },
});

export type ImageVerificationRuleSpec = SpecOf<typeof ImageVerificationRule>;
