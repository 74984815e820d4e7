import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { ip } from "../values/index.ts";

/** Names and addresses a certificate must be valid for, one resource per certificate. */
export const CertSAN = defineResource({
  type: "CertSANs.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  ids: { api: "api", maintenance: "maintenance", kubernetes: "k8s" },
  spec: {
    ips: field(1, list(ip)),
    dnsNames: field(2, list(text)),
    fqdn: field(3, text),
  },
});

export type CertSANSpec = SpecOf<typeof CertSAN>;
