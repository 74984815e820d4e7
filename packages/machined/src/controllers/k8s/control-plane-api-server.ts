import type { Controller } from "@talos-ts/cosi";
import { imagesOf } from "@talos-ts/machinery/config";
import { defaultControlPlanePort, etcdClientPort } from "@talos-ts/machinery/constants";
import { APIServerConfig } from "@talos-ts/machinery/resources/k8s";
import { serviceSubnets } from "../internal/cluster-networks.ts";
import { argumentsForResource, argumentsFromConfig } from "../internal/argument-values.ts";
import { controlPlaneConfigController } from "./internal/control-plane-config.ts";
import { cloudProvider, extraVolumes, podResources } from "./internal/pod-config.ts";

/** Settings of the API server. */
export function controlPlaneAPIServerController(): Controller {
  return controlPlaneConfigController({
    name: "k8s.ControlPlaneAPIServerController",
    output: APIServerConfig,
    make({ config, machine, cluster }) {
      const { apiServer = {}, controlPlane } = cluster;
      // A pod of a node that is not registered has no address to advertise.
      const registers = machine.kubelet?.skipNodeRegistration !== true;
      return APIServerConfig.spec({
        image: imagesOf(config).apiServer,
        cloudProvider: cloudProvider(cluster),
        controlPlaneEndpoint: controlPlane?.endpoint,
        etcdServers: [`https://127.0.0.1:${String(etcdClientPort)}`],
        localPort: controlPlane?.localAPIServerPort ?? defaultControlPlanePort,
        serviceCIDR: serviceSubnets(cluster),
        extraArgs: argumentsForResource(argumentsFromConfig(apiServer.extraArgs)),
        extraVolumes: extraVolumes(apiServer.extraVolumes),
        environmentVariables: apiServer.env,
        advertisedAddress: registers ? "$(POD_IP)" : "",
        resources: podResources(apiServer.resources),
      });
    },
  });
}
