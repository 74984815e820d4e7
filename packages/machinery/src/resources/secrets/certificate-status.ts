import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** A certificate that the machine uses: for whom, by whom, and how long; never its key. */
export const CertificateStatus = defineResource({
  type: "CertificateStatuses.secrets.talos.dev",
  namespace: "secrets",
  columns: [
    ["Subject", "{.subject}"],
    ["Not Before", "{.notBefore}"],
    ["Not After", "{.notAfter}"],
  ],
  spec: {
    subject: field(1, text),
    issuer: field(2, text),
    /** RFC 3339, in UTC. */
    notBefore: field(3, text),
    notAfter: field(4, text),
  },
});

export type CertificateStatusSpec = SpecOf<typeof CertificateStatus>;
