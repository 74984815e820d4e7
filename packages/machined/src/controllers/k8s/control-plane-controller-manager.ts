import type { Controller } from "@talos-ts/cosi";
import { imagesOf } from "@talos-ts/machinery/config";
import { ControllerManagerConfig } from "@talos-ts/machinery/resources/k8s";
import { podSubnets, serviceSubnets } from "../internal/cluster-networks.ts";
import { argumentsForResource, argumentsFromConfig } from "../internal/argument-values.ts";
import { controlPlaneConfigController } from "./internal/control-plane-config.ts";
import { cloudProvider, extraVolumes, podResources } from "./internal/pod-config.ts";

/** Settings of the controller manager. */
export function controlPlaneControllerManagerController(): Controller {
  return controlPlaneConfigController({
    name: "k8s.ControlPlaneControllerManagerController",
    output: ControllerManagerConfig,
    make({ config, machine, cluster }) {
      const { controllerManager = {} } = cluster;
      return ControllerManagerConfig.spec({
        enabled: machine.controlPlane?.controllerManager?.disabled !== true,
        image: imagesOf(config).controllerManager,
        cloudProvider: cloudProvider(cluster),
        podCIDRs: podSubnets(cluster),
        serviceCIDRs: serviceSubnets(cluster),
        extraArgs: argumentsForResource(argumentsFromConfig(controllerManager.extraArgs)),
        extraVolumes: extraVolumes(controllerManager.extraVolumes),
        environmentVariables: controllerManager.env,
        resources: podResources(controllerManager.resources),
      });
    },
  });
}
