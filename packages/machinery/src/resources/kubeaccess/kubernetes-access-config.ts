import { bool, defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";

/** Kubernetes namespaces that may use the API of the operating system, and their roles. */
export const KubernetesAccessConfig = defineResource({
  type: "KubernetesAccessConfigs.cluster.talos.dev",
  namespace: "config",
  id: "config",
  spec: {
    enabled: field(1, bool),
    allowedAPIRoles: field(2, list(text)),
    allowedKubernetesNamespaces: field(3, list(text)),
  },
});

export type KubernetesAccessConfigSpec = SpecOf<typeof KubernetesAccessConfig>;
