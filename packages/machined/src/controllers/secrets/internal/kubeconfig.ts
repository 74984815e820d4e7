import { pemToBase64, type PemPair } from "@talos-ts/crypto";
import type { Certificate } from "@talos-ts/machinery/resources/values";
import { stringify } from "yaml";

export interface KubeconfigInput {
  readonly cluster: string;
  readonly server: string;
  readonly acceptedCAs: readonly Certificate[];
  readonly user: string;
  readonly context: string;
  readonly client: PemPair;
}

/** Access to a cluster in the form `kubectl` and the components of Kubernetes read. */
export function kubeconfig({ cluster, server, acceptedCAs, user, context, client }: KubeconfigInput): string {
  const userName = `${user}@${cluster}`;
  const contextName = `${context}@${cluster}`;
  return stringify(
    {
      apiVersion: "v1",
      clusters: [
        {
          cluster: { "certificate-authority-data": pemToBase64(acceptedCAs.map(({ crt }) => crt).join("")), server },
          name: cluster,
        },
      ],
      contexts: [{ context: { cluster, namespace: "default", user: userName }, name: contextName }],
      "current-context": contextName,
      kind: "Config",
      users: [
        {
          name: userName,
          user: { "client-certificate-data": pemToBase64(client.crt), "client-key-data": pemToBase64(client.key) },
        },
      ],
    },
    { lineWidth: 0 },
  );
}
