import {
  createResource,
  reduceController,
  shared,
  weak,
  type Controller,
  type Reader,
  type Resource,
} from "@talos-ts/cosi";
import { controlPlaneComponents } from "@talos-ts/machinery/constants";
import {
  APIServerConfig,
  ConfigStatus,
  ControllerManagerConfig,
  KubePrismConfig,
  KubePrismStatus,
  SchedulerConfig,
  SecretStatus,
  StaticPod,
} from "@talos-ts/machinery/resources/k8s";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { apiServerPod } from "./internal/api-server-pod.ts";
import { controllerManagerPod } from "./internal/controller-manager-pod.ts";
import { schedulerPod } from "./internal/scheduler-pod.ts";

const etcd = "etcd";

/**
 * The static pods of the control plane. The API server uses the etcd of this machine, so there are none before it is
 * healthy; once they run, they stay while etcd is unwell or restarts.
 */
export function controlPlaneStaticPodController(): Controller {
  return reduceController({
    name: "k8s.ControlPlaneStaticPodController",
    inputs: [
      weak(APIServerConfig, { id: APIServerConfig.id }),
      weak(ControllerManagerConfig, { id: ControllerManagerConfig.id }),
      weak(SchedulerConfig, { id: SchedulerConfig.id }),
      weak(SecretStatus, { id: SecretStatus.id }),
      weak(ConfigStatus, { id: ConfigStatus.id }),
      weak(Service, { id: etcd }),
      weak(KubePrismConfig, { id: KubePrismConfig.id }),
      weak(KubePrismStatus, { id: KubePrismStatus.id }),
    ],
    outputs: [shared(StaticPod)],
    async reduce(context) {
      const apiServer = await context.find(APIServerConfig, APIServerConfig.id);
      const controllerManager = await context.find(ControllerManagerConfig, ControllerManagerConfig.id);
      const scheduler = await context.find(SchedulerConfig, SchedulerConfig.id);
      if (apiServer === undefined && controllerManager === undefined && scheduler === undefined) return [];
      const secrets = (await context.find(SecretStatus, SecretStatus.id))?.spec.version;
      const configFiles = (await context.find(ConfigStatus, ConfigStatus.id))?.spec.version;
      const service = (await context.find(Service, etcd))?.spec;
      if (service?.healthy !== true || secrets === undefined || configFiles === undefined) return undefined;
      const pods: Resource[] = [];
      const add = (id: string, pod: ReturnType<typeof schedulerPod>): void => {
        pods.push(createResource(StaticPod, id, pod));
      };
      if (apiServer !== undefined) {
        const versions = { secrets, configFiles, config: versionOf(apiServer) };
        add(controlPlaneComponents.apiServer, apiServerPod(apiServer.spec, versions));
      }
      if (!(await apiServerReached(context))) return pods;
      if (controllerManager?.spec.enabled === true) {
        const versions = { secrets, config: versionOf(controllerManager) };
        add(controlPlaneComponents.controllerManager, controllerManagerPod(controllerManager.spec, versions));
      }
      if (scheduler?.spec.enabled === true) {
        add(controlPlaneComponents.scheduler, schedulerPod(scheduler.spec, { secrets, config: versionOf(scheduler) }));
      }
      return pods;
    },
  });
}

/**
 * Whether its clients need not wait for an API server any more. They exit when they find none, and the kubelet then lets them wait for
 * 10 s and more, so they are started after it. Once there, they stay. Without KubePrism nobody knows, and they start at once.
 */
async function apiServerReached(context: Reader): Promise<boolean> {
  if ((await context.find(KubePrismConfig, KubePrismConfig.id)) === undefined) return true;
  if ((await context.find(KubePrismStatus, KubePrismStatus.id))?.spec.healthy === true) return true;
  const { controllerManager, scheduler } = controlPlaneComponents;
  for (const id of [controllerManager, scheduler]) if ((await context.find(StaticPod, id)) !== undefined) return true;
  return false;
}

function versionOf({ metadata }: Resource): string {
  return String(metadata.version);
}
