import { defineResource, field, list, optional, text, type SpecOf } from "../dsl/index.ts";
import { certificate, certificateAndKey, ip, privateKey, url } from "../values/index.ts";

/** Authorities, keys and tokens Kubernetes is built on. */
export const KubernetesRootSecret = defineResource({
  type: "KubernetesRootSecrets.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "k8s",
  spec: {
    name: field(1, text),
    endpoint: field(2, url),
    localEndpoint: field(3, url, "local_endpoint"),
    certSANs: field(4, list(text)),
    apiServerIPs: field(14, list(ip)),
    dnsDomain: field(6, text),
    issuingCA: field(7, optional(certificateAndKey)),
    acceptedCAs: field(15, list(certificate)),
    serviceAccount: field(8, optional(privateKey)),
    aggregatorCA: field(9, optional(certificateAndKey)),
    aesCBCEncryptionSecret: field(10, text),
    bootstrapTokenID: field(11, text),
    bootstrapTokenSecret: field(12, text),
    secretboxEncryptionSecret: field(13, text),
  },
});

export type KubernetesRootSecretSpec = SpecOf<typeof KubernetesRootSecret>;
