import { defineResource, field, list, optional, text, type SpecOf } from "../dsl/index.ts";
import { certificate, certificateAndKey, ip } from "../values/index.ts";

/** Certificate authority of the operating system's API, and the token for joining it. */
export const OSRootSecret = defineResource({
  type: "OSRootSecrets.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "os",
  spec: {
    issuingCA: field(1, optional(certificateAndKey)),
    acceptedCAs: field(5, list(certificate)),
    certSANIPs: field(2, list(ip)),
    certSANDNSNames: field(3, list(text)),
    token: field(4, text),
  },
});

export type OSRootSecretSpec = SpecOf<typeof OSRootSecret>;
