import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { certificate, url } from "../values/index.ts";

/** Credentials of a kubelet that joins: endpoint, trusted CAs, bootstrap token. */
export const KubeletSecret = defineResource({
  type: "KubeletSecrets.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "kubelet",
  spec: {
    endpoint: field(1, url),
    acceptedCAs: field(5, list(certificate)),
    bootstrapTokenID: field(3, text),
    bootstrapTokenSecret: field(4, text),
  },
});

export type KubeletSecretSpec = SpecOf<typeof KubeletSecret>;
