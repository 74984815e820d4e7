import type { Controller } from "@talos-ts/cosi";
import { imagesOf } from "@talos-ts/machinery/config";
import { SchedulerConfig } from "@talos-ts/machinery/resources/k8s";
import { argumentsForResource, argumentsFromConfig } from "../internal/argument-values.ts";
import { controlPlaneConfigController } from "./internal/control-plane-config.ts";
import { jsonObject } from "../internal/json-object.ts";
import { extraVolumes, podResources } from "./internal/pod-config.ts";

/** Settings of the scheduler. */
export function controlPlaneSchedulerController(): Controller {
  return controlPlaneConfigController({
    name: "k8s.ControlPlaneSchedulerController",
    output: SchedulerConfig,
    make({ config, machine, cluster }) {
      const { scheduler = {} } = cluster;
      return SchedulerConfig.spec({
        enabled: machine.controlPlane?.scheduler?.disabled !== true,
        image: imagesOf(config).scheduler,
        extraArgs: argumentsForResource(argumentsFromConfig(scheduler.extraArgs)),
        extraVolumes: extraVolumes(scheduler.extraVolumes),
        environmentVariables: scheduler.env,
        resources: podResources(scheduler.resources),
        config: jsonObject(scheduler.config),
      });
    },
  });
}
