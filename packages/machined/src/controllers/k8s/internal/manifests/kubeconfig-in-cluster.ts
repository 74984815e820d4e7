import { stringify } from "yaml";
import { systemNamespace } from "./rbac.ts";

export const inClusterName = "kubeconfig-in-cluster";

/** A kubeconfig for pods on the host network: the service account of the pod, and an API server that needs no kube-proxy. */
export function kubeconfigInCluster(server: string): object {
  const credentials = "/var/run/secrets/kubernetes.io/serviceaccount";
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "local", cluster: { server, "certificate-authority": `${credentials}/ca.crt` } }],
    users: [{ name: "service-account", user: { tokenFile: `${credentials}/token` } }],
    contexts: [{ name: "local", context: { cluster: "local", user: "service-account" } }],
    "current-context": "local",
  };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: inClusterName, namespace: systemNamespace },
    data: { kubeconfig: stringify(kubeconfig, { lineWidth: 0 }) },
  };
}
