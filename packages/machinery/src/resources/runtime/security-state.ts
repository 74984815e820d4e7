import { bool, defineResource, field, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { fipsState, selinuxState } from "../enums/index.ts";

/** State of security features. */
export const SecurityState = defineResource({
  type: "SecurityStates.talos.dev",
  namespace: "runtime",
  columns: [
    ["SecureBoot", "{.secureBoot}"],
    ["UKISigningKeyFingerprint", "{.ukiSigningKeyFingerprint}"],
    ["PCRSigningKeyFingerprint", "{.pcrSigningKeyFingerprint}"],
    ["SELinuxState", "{.selinuxState}"],
    ["ModuleSignatureEnforced", "{.moduleSignatureEnforced}"],
  ],
  id: "securitystate",
  spec: {
    secureBoot: field(1, bool),
    ukiSigningKeyFingerprint: omitEmpty(2, text),
    pcrSigningKeyFingerprint: omitEmpty(3, text),
    selinuxState: omitEmpty(4, selinuxState),
    fipsState: omitEmpty(6, fipsState),
    bootedWithUKI: omitEmpty(5, bool),
    moduleSignatureEnforced: omitEmpty(7, bool),
  },
});

export type SecurityStateSpec = SpecOf<typeof SecurityState>;
