import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { kubePrismPort } from "@talos-ts/machinery/constants";
import { KubePrismConfig, KubePrismEndpoint } from "@talos-ts/machinery/resources/k8s";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes where KubePrism listens and what it balances, while `machine.features.kubePrism.enabled` is true. */
export function kubePrismConfigController(): Controller {
  return reduceController({
    name: "k8s.KubePrismConfigController",
    inputs: [activeConfigInput, weak(KubePrismEndpoint, { id: KubePrismEndpoint.id })],
    outputs: [exclusive(KubePrismConfig)],
    async reduce(context) {
      const { enabled = false, port = kubePrismPort } =
        (await activeConfig(context))?.machine?.features?.kubePrism ?? {};
      const endpoints = (await context.find(KubePrismEndpoint, KubePrismEndpoint.id))?.spec.endpoints ?? [];
      if (!enabled || endpoints.length === 0) return [];
      const spec = KubePrismConfig.spec({ host: "127.0.0.1", port: port, endpoints });
      return [createResource(KubePrismConfig, KubePrismConfig.id, spec)];
    },
  });
}
