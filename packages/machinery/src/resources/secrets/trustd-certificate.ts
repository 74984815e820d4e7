import { defineResource, field, list, optional, type SpecOf } from "../dsl/index.ts";
import { certificate, certificateAndKey } from "../values/index.ts";

/** Certificates of trustd. */
export const TrustdCertificate = defineResource({
  type: "TrustdCertificates.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "trustd",
  spec: {
    acceptedCAs: field(3, list(certificate)),
    server: field(2, optional(certificateAndKey)),
  },
});

export type TrustdCertificateSpec = SpecOf<typeof TrustdCertificate>;
