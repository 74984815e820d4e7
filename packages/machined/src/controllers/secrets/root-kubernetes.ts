import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { pemFromBase64 } from "@talos-ts/crypto";
import { isControlPlane, parseMachineType } from "@talos-ts/machinery/config";
import { defaultDnsDomain } from "@talos-ts/machinery/constants";
import { KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { nthAddress } from "@talos-ts/base/net";
import { serviceSubnets } from "../internal/cluster-networks.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { bootstrapToken, kubePrismEndpoint, localApiServerEndpoint } from "../internal/kubernetes-endpoints.ts";
import { authoritiesFromConfig, pairFromConfig } from "./internal/config-pem.ts";
import { missingSecret } from "./internal/missing-secret.ts";

/** Publishes what Kubernetes is built on, from the configuration of control plane machines. */
export function rootKubernetesController(): Controller {
  return reduceController({
    name: "secrets.RootKubernetesController",
    inputs: [activeConfigInput],
    outputs: [exclusive(KubernetesRootSecret)],
    async reduce(context) {
      const { machine, cluster } = (await activeConfig(context)) ?? {};
      if (machine === undefined || cluster === undefined || !isControlPlane(parseMachineType(machine.type))) return [];
      const aggregatorCA = pairFromConfig(cluster.aggregatorCA, "cluster.aggregatorCA");
      if (aggregatorCA === undefined) throw missingSecret("cluster.aggregatorCA");
      const authorities = authoritiesFromConfig(cluster.ca, cluster.acceptedCAs, "cluster");
      if (authorities.acceptedCAs.length === 0) throw missingSecret("cluster.CA");
      const { key } = cluster.serviceAccount ?? {};
      const spec = KubernetesRootSecret.spec({
        ...authorities,
        ...bootstrapToken(cluster),
        name: cluster.clusterName,
        endpoint: cluster.controlPlane?.endpoint,
        localEndpoint: kubePrismEndpoint(machine) ?? localApiServerEndpoint(cluster),
        certSANs: cluster.apiServer?.certSANs,
        // The first address of each service network is that of the API itself.
        apiServerIPs: serviceSubnets(cluster).map((subnet) => nthAddress(subnet, 1)),
        dnsDomain: cluster.network?.dnsDomain ?? defaultDnsDomain,
        serviceAccount: key === undefined ? undefined : { key: pemFromBase64(key, "cluster.serviceAccount.key") },
        aggregatorCA,
        aesCBCEncryptionSecret: cluster.aescbcEncryptionSecret,
        secretboxEncryptionSecret: cluster.secretboxEncryptionSecret,
      });
      return [createResource(KubernetesRootSecret, KubernetesRootSecret.id, spec)];
    },
  });
}
