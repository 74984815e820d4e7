import type { Clock } from "@talos-ts/base";
import { weak, type Controller } from "@talos-ts/cosi";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { CertSAN, KubernetesDynamicCert, KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import { issuingController } from "./internal/issuing-controller.ts";
import { kubernetesRefreshMs } from "./kubernetes-kubeconfigs.ts";
import { missingSecret } from "./internal/missing-secret.ts";

/** Certificates of the API server that follow the names and addresses of the machine. */
export function kubernetesDynamicCertificatesController({ clock }: { readonly clock: Clock }): Controller {
  return issuingController({
    name: "secrets.KubernetesDynamicCertsController",
    inputs: [
      weak(NetworkStatus, { id: NetworkStatus.id }),
      weak(KubernetesRootSecret, { id: KubernetesRootSecret.id }),
      weak(TimeStatus, { id: TimeStatus.id }),
      weak(CertSAN, { id: CertSAN.ids.kubernetes }),
    ],
    output: KubernetesDynamicCert,
    clock,
    refreshMs: kubernetesRefreshMs,
    async plan(context) {
      const root = await context.find(KubernetesRootSecret, KubernetesRootSecret.id);
      if (root === undefined) return "none";
      const network = await context.find(NetworkStatus, NetworkStatus.id);
      const time = await context.find(TimeStatus, TimeStatus.id);
      const sans = await context.find(CertSAN, CertSAN.ids.kubernetes);
      const networkReady = network?.spec.addressReady === true && network.spec.hostnameReady;
      if (!networkReady || time?.spec.synced !== true || sans === undefined) return undefined;
      const { issuingCA, aggregatorCA } = root.spec;
      if (issuingCA === undefined) throw missingSecret("cluster.ca.key");
      if (aggregatorCA === undefined) throw missingSecret("cluster.aggregatorCA");
      const names = { dnsNames: sans.spec.dnsNames, ipAddresses: sans.spec.ips };
      return {
        basis: [root, sans, `epoch ${String(time.spec.epoch)}`],
        async issue() {
          const options = { now: new Date(clock.now()) };
          return KubernetesDynamicCert.spec({
            apiServer: await issueLeaf("apiServer", issuingCA, names, options),
            apiServerKubeletClient: await issueLeaf("apiServerKubeletClient", issuingCA, undefined, options),
            frontProxy: await issueLeaf("frontProxy", aggregatorCA, undefined, options),
          });
        },
      };
    },
  });
}
