import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { CertSAN, KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { addressOf } from "@talos-ts/base/net";
import { fqdnOf } from "../internal/hostname.ts";
import { certificateAddresses } from "./api-cert-sans.ts";
import { sanList } from "./internal/san-list.ts";

/** Publishes what the certificate of the API server must be valid for. */
export function kubernetesCertSANsController(): Controller {
  return reduceController({
    name: "secrets.KubernetesCertSANsController",
    inputs: [
      weak(KubernetesRootSecret, { id: KubernetesRootSecret.id }),
      weak(HostnameStatus, { id: HostnameStatus.id }),
      weak(NodeAddress, { id: certificateAddresses }),
    ],
    outputs: [shared(CertSAN)],
    async reduce(context) {
      const root = await context.find(KubernetesRootSecret, KubernetesRootSecret.id);
      if (root === undefined) return [];
      const hostname = await context.find(HostnameStatus, HostnameStatus.id);
      const addresses = await context.find(NodeAddress, certificateAddresses);
      if (hostname === undefined || addresses === undefined) return undefined;
      const { endpoint, certSANs, dnsDomain, apiServerIPs } = root.spec;
      const spec = sanList(
        "",
        hostOf(endpoint),
        ...certSANs,
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        `kubernetes.default.svc.${dnsDomain}`,
        "localhost",
        hostname.spec.hostname,
        fqdnOf(hostname.spec),
        ...apiServerIPs,
        ...addresses.spec.addresses.map(addressOf),
        "127.0.0.1",
      );
      return [createResource(CertSAN, CertSAN.ids.kubernetes, spec)];
    },
  });
}

function hostOf(url: string): string {
  return url === "" ? "" : new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}
