import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { isControlPlane, parseMachineType } from "@talos-ts/machinery/config";
import { KubeletSecret } from "@talos-ts/machinery/resources/secrets";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { bootstrapToken, kubePrismEndpoint, localApiServerEndpoint } from "../internal/kubernetes-endpoints.ts";
import { authoritiesFromConfig } from "./internal/config-pem.ts";
import { missingSecret } from "./internal/missing-secret.ts";

/** Publishes what the kubelet joins with: the nearest API server, the trusted CAs, and the token of its first request. */
export function kubeletSecretController(): Controller {
  return reduceController({
    name: "secrets.KubeletController",
    inputs: [activeConfigInput],
    outputs: [exclusive(KubeletSecret)],
    async reduce(context) {
      const { machine, cluster } = (await activeConfig(context)) ?? {};
      if (machine === undefined || cluster === undefined) return [];
      const { acceptedCAs } = authoritiesFromConfig(cluster.ca, cluster.acceptedCAs, "cluster");
      if (acceptedCAs.length === 0) throw missingSecret("cluster.CA");
      const onNode = isControlPlane(parseMachineType(machine.type)) ? localApiServerEndpoint(cluster) : undefined;
      const spec = KubeletSecret.spec({
        endpoint: kubePrismEndpoint(machine) ?? onNode ?? cluster.controlPlane?.endpoint,
        // The authority of the cluster first, then the others it accepts.
        acceptedCAs: cluster.ca === undefined ? acceptedCAs : [...acceptedCAs.slice(-1), ...acceptedCAs.slice(0, -1)],
        ...bootstrapToken(cluster),
      });
      return [createResource(KubeletSecret, KubeletSecret.id, spec)];
    },
  });
}
