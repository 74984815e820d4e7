import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { KubernetesAccessConfig } from "@talos-ts/machinery/resources/kubeaccess";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes which pods may use the machine API, on control planes: `machine.features.kubernetesTalosAPIAccess`. */
export function kubernetesAccessConfigController(): Controller {
  return reduceController({
    name: "kubeaccess.ConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(KubernetesAccessConfig)],
    async reduce(context) {
      const machine = (await activeConfig(context))?.machine;
      if (machine?.type !== "controlplane" && machine?.type !== "init") return [];
      const access = machine.features?.kubernetesTalosAPIAccess;
      const enabled = access?.enabled === true;
      const spec = KubernetesAccessConfig.spec({
        enabled,
        allowedAPIRoles: enabled ? (access.allowedRoles ?? []) : [],
        allowedKubernetesNamespaces: enabled ? (access.allowedKubernetesNamespaces ?? []) : [],
      });
      return [createResource(KubernetesAccessConfig, KubernetesAccessConfig.id, spec)];
    },
  });
}
