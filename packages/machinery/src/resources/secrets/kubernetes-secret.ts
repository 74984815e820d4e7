import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Kubeconfigs of the control plane and of the administrator. */
export const KubernetesSecret = defineResource({
  type: "KubernetesSecrets.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "k8s-certs",
  spec: {
    schedulerKubeconfig: field(4, text),
    controllerManagerKubeconfig: field(5, text),
    localhostAdminKubeconfig: field(6, text),
    adminKubeconfig: field(7, text),
  },
});

export type KubernetesSecretSpec = SpecOf<typeof KubernetesSecret>;
