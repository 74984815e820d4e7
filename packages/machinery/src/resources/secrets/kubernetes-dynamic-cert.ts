import { defineResource, field, optional, type SpecOf } from "../dsl/index.ts";
import { certificateAndKey } from "../values/index.ts";

/** Certificates of the API server that follow its names and addresses. */
export const KubernetesDynamicCert = defineResource({
  type: "KubernetesDynamicCerts.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "k8s-dynamic-certs",
  spec: {
    apiServer: field(1, optional(certificateAndKey)),
    apiServerKubeletClient: field(2, optional(certificateAndKey)),
    frontProxy: field(3, optional(certificateAndKey)),
  },
});

export type KubernetesDynamicCertSpec = SpecOf<typeof KubernetesDynamicCert>;
