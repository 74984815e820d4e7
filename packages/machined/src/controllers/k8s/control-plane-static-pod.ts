import { kindOf, reconcileController, shared, weak, type Controller, type Reader, type Resource } from "@talos-ts/cosi";
import { controlPlaneComponents } from "@talos-ts/machinery/constants";
import {
  APIServerConfig,
  ConfigStatus,
  ControllerManagerConfig,
  SchedulerConfig,
  SecretStatus,
  StaticPod,
} from "@talos-ts/machinery/resources/k8s";
import { KubernetesDynamicCert, KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import type { JsonObject } from "@talos-ts/machinery/resources/values";
import { apiServerPod } from "./internal/api-server-pod.ts";
import { probeLocalApiServer, type ApiServerProbe, type LocalApiServer } from "./internal/api-server-ready.ts";
import { controllerManagerPod } from "./internal/controller-manager-pod.ts";
import { schedulerPod } from "./internal/scheduler-pod.ts";

const etcd = "etcd";
const probeEveryMs = 500;

export interface ControlPlaneStaticPodOptions {
  /** @default asks `/readyz` of the API server on this machine */
  readonly probe?: ApiServerProbe;
}

/**
 * The static pods of the control plane. The API server uses the etcd of this machine, so there are none before it is healthy; once
 * they run, they stay while etcd is unwell or restarts. The others follow when the API server is ready: they exit when they cannot
 * use one, and the kubelet then lets them wait for 10 s and more.
 */
export function controlPlaneStaticPodController({
  probe = probeLocalApiServer,
}: ControlPlaneStaticPodOptions): Controller {
  return reconcileController({
    name: "k8s.ControlPlaneStaticPodController",
    inputs: [
      weak(APIServerConfig, { id: APIServerConfig.id }),
      weak(ControllerManagerConfig, { id: ControllerManagerConfig.id }),
      weak(SchedulerConfig, { id: SchedulerConfig.id }),
      weak(SecretStatus, { id: SecretStatus.id }),
      weak(ConfigStatus, { id: ConfigStatus.id }),
      weak(Service, { id: etcd }),
      weak(KubernetesDynamicCert, { id: KubernetesDynamicCert.id }),
      weak(KubernetesRootSecret, { id: KubernetesRootSecret.id }),
    ],
    outputs: [shared(StaticPod)],
    async reconcile(context) {
      context.startTrackingOutputs();
      const apiServer = await context.find(APIServerConfig, APIServerConfig.id);
      const controllerManager = await context.find(ControllerManagerConfig, ControllerManagerConfig.id);
      const scheduler = await context.find(SchedulerConfig, SchedulerConfig.id);
      if (apiServer === undefined || controllerManager === undefined || scheduler === undefined) {
        await context.cleanupOutputs(kindOf(StaticPod));
        return;
      }
      const secrets = (await context.find(SecretStatus, SecretStatus.id))?.spec.version;
      const configFiles = (await context.find(ConfigStatus, ConfigStatus.id))?.spec.version;
      const healthy = (await context.find(Service, etcd))?.spec.healthy === true;
      if (!healthy || secrets === undefined || configFiles === undefined) return;
      const put = async (id: string, pod: JsonObject): Promise<void> => {
        await context.put(StaticPod, id, () => pod);
      };
      const versions = { secrets, configFiles, config: versionOf(apiServer) };
      await put(controlPlaneComponents.apiServer, apiServerPod(apiServer.spec, versions));
      const server = await localApiServer(context, apiServer.spec.localPort);
      if (!(await clientsRun(context)) && !(server !== undefined && (await probe(server, context.signal)))) {
        context.queueReconcile(probeEveryMs);
        return;
      }
      if (controllerManager.spec.enabled) {
        const pod = controllerManagerPod(controllerManager.spec, { secrets, config: versionOf(controllerManager) });
        await put(controlPlaneComponents.controllerManager, pod);
      }
      if (scheduler.spec.enabled) {
        const pod = schedulerPod(scheduler.spec, { secrets, config: versionOf(scheduler) });
        await put(controlPlaneComponents.scheduler, pod);
      }
      await context.cleanupOutputs(kindOf(StaticPod));
    },
  });
}

async function localApiServer(context: Reader, port: number): Promise<LocalApiServer | undefined> {
  const certificates = await context.find(KubernetesDynamicCert, KubernetesDynamicCert.id);
  const client = certificates?.spec.apiServerKubeletClient;
  const ca = (await context.find(KubernetesRootSecret, KubernetesRootSecret.id))?.spec.issuingCA?.crt;
  return client === undefined || ca === undefined ? undefined : { port, client, ca };
}

/** Reports whether clients of the API server have been started; from then on they wait for it by themselves. */
async function clientsRun(context: Reader): Promise<boolean> {
  const { controllerManager, scheduler } = controlPlaneComponents;
  return [await context.find(StaticPod, controllerManager), await context.find(StaticPod, scheduler)].some(
    (pod) => pod !== undefined,
  );
}

function versionOf({ metadata }: Resource): string {
  return String(metadata.version);
}
