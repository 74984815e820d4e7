import type { BootstrapManifestsConfigSpec } from "@talos-ts/machinery/resources/k8s";
import { inClusterName } from "./kubeconfig-in-cluster.ts";
import { fromField, onSupported, tolerateEverything } from "./node-affinity.ts";
import { clusterRoleBinding, serviceAccount, serviceAccountSubject, systemNamespace } from "./rbac.ts";

const name = "kube-proxy";
const labels = { "k8s-app": name, tier: "node" };

const volumes = [
  { name: "lib-modules", hostPath: { path: "/usr/lib/modules" } },
  { name: "ssl-certs-host", hostPath: { path: "/etc/ssl/certs" } },
  { name: "kubeconfig", configMap: { name: inClusterName } },
] as const;

const volumeMounts = [
  { name: "lib-modules", mountPath: "/lib/modules", readOnly: true },
  { name: "ssl-certs-host", mountPath: "/etc/ssl/certs", readOnly: true },
  { name: "kubeconfig", mountPath: "/etc/kubernetes", readOnly: true },
] as const;

/** Makes Services reachable on every node. */
export function kubeProxy({
  proxyImage,
  proxyArgs,
}: Pick<BootstrapManifestsConfigSpec, "proxyImage" | "proxyArgs">): readonly object[] {
  const container = {
    name,
    image: proxyImage,
    command: ["/usr/local/bin/kube-proxy", ...proxyArgs],
    env: [fromField("NODE_NAME", "spec.nodeName"), fromField("POD_IP", "status.podIP")],
    resources: { requests: { cpu: "100m", memory: "50Mi" } },
    securityContext: { privileged: true },
    volumeMounts,
  };
  return [
    {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { labels, name, namespace: systemNamespace },
      spec: {
        selector: { matchLabels: labels },
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
        template: {
          metadata: { labels },
          spec: {
            affinity: { nodeAffinity: onSupported },
            hostNetwork: true,
            priorityClassName: "system-cluster-critical",
            serviceAccountName: name,
            tolerations: tolerateEverything,
            containers: [container],
            volumes,
          },
        },
      },
    },
    serviceAccount(name),
    clusterRoleBinding({ name }, "system:node-proxier", [serviceAccountSubject(name)]),
  ];
}
