import { createResource, type Resource } from "@talos-ts/cosi";
import type { KubernetesAccess } from "@talos-ts/kubernetes";
import { KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { stringify } from "yaml";

/** Helpers of the specs of controllers that talk to Kubernetes. */

/** The secret of a control plane whose kubeconfigs all point to this server. */
export function kubernetesSecretFor(access: KubernetesAccess): Resource {
  const { server, ca = "", cert = "", key = "" } = access;
  const encode = (text: string): string => Buffer.from(text).toString("base64");
  const kubeconfig = stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server, "certificate-authority-data": encode(ca) } }],
    users: [{ name: "u", user: { "client-certificate-data": encode(cert), "client-key-data": encode(key) } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
  const spec = KubernetesSecret.spec({ adminKubeconfig: kubeconfig, localhostAdminKubeconfig: kubeconfig });
  return createResource(KubernetesSecret, KubernetesSecret.id, spec);
}
