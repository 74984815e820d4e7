import type { KubernetesRootSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { clusterRole, clusterRoleBinding, group, systemNamespace } from "./rbac.ts";

/** Group of the bootstrap token: kubelets that have no certificate yet. */
const bootstrappers = "system:bootstrappers:nodes";
const nodes = "system:nodes";
const csrRoles = "system:certificates.k8s.io:certificatesigningrequests";

/** The token with which a kubelet asks for its first certificate. */
export function kubeletBootstrapToken({ bootstrapTokenID, bootstrapTokenSecret }: KubernetesRootSecretSpec): object {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `bootstrap-token-${bootstrapTokenID}`, namespace: systemNamespace },
    type: "bootstrap.kubernetes.io/token",
    stringData: {
      "auth-extra-groups": bootstrappers,
      "token-id": bootstrapTokenID,
      "token-secret": bootstrapTokenSecret,
      "usage-bootstrap-authentication": "true",
    },
  };
}

/** Lets kubelets create signing requests. */
export const csrNodeBootstrap = clusterRoleBinding(
  { name: "system-bootstrap-node-bootstrapper" },
  "system:node-bootstrapper",
  [group(bootstrappers), group(nodes)],
);

/** Approves the first certificate of a kubelet. */
export const csrApprover = clusterRoleBinding(
  { name: "system-bootstrap-approve-node-client-csr" },
  `${csrRoles}:nodeclient`,
  [group(bootstrappers)],
);

/** Approves the renewal of a certificate by the kubelet that has it. */
export const csrRenewal = clusterRoleBinding({ name: "system-bootstrap-node-renewal" }, `${csrRoles}:selfnodeclient`, [
  group(nodes),
]);

const defaultsLabel = { "kubernetes.io/bootstrapping": "rbac-defaults" };

/** Lets nodes find the API servers of the cluster. */
export const nodeAccess: readonly object[] = [
  clusterRoleBinding(
    {
      annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
      labels: defaultsLabel,
      name: "system:talos-nodes",
    },
    "system:talos-nodes",
    [group(nodes)],
  ),
  clusterRole({ labels: defaultsLabel, name: "system:talos-nodes" }, [
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["get", "list", "watch"] },
  ]),
];
