import { bool, defineResource, field, list, optional, type SpecOf } from "../dsl/index.ts";
import { certificate, certificateAndKey } from "../values/index.ts";

/** Certificates of apid: server, client (on the control plane), and the authorities it accepts. */
export const ApiCertificate = defineResource({
  type: "ApiCertificates.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "api",
  spec: {
    acceptedCAs: field(4, list(certificate)),
    client: field(2, optional(certificateAndKey)),
    server: field(3, optional(certificateAndKey)),
    skipVerifyingClientCert: field(5, bool),
  },
});

export type ApiCertificateSpec = SpecOf<typeof ApiCertificate>;
