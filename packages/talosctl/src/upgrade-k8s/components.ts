import type { Resource } from "@talos-ts/cosi";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openResources } from "@talos-ts/machinery/client/resources";
import type { ClusterSection, MainConfig } from "@talos-ts/machinery/config";
import { APIServerConfig, ControllerManagerConfig, SchedulerConfig } from "@talos-ts/machinery/resources/k8s";
import type { UpgradedImage } from "./upgrade.ts";

/** A component that runs as a static pod on control plane nodes. */
export interface Component {
  /** Name of the pod, of its label `k8s-app` and of its container. */
  readonly id: string;
  readonly image: UpgradedImage;
  /** Reads what the pod of a node is made from. */
  readonly read: (
    connection: ApiConnection,
    node: string,
  ) => Promise<Resource<{ readonly image: string; readonly enabled?: boolean }>>;
  readonly withImage: (main: MainConfig, image: string) => MainConfig;
}

/** The components in the order in which they are upgraded: none may be newer than the API server. */
export const components: readonly Component[] = [
  {
    id: "kube-apiserver",
    image: "apiServer",
    read: (connection, node) =>
      openResources(connection, node, [APIServerConfig]).get(APIServerConfig, APIServerConfig.id),
    withImage: (main, image) => withCluster(main, { apiServer: { ...main.cluster?.apiServer, image } }),
  },
  {
    id: "kube-controller-manager",
    image: "controllerManager",
    read: (connection, node) =>
      openResources(connection, node, [ControllerManagerConfig]).get(
        ControllerManagerConfig,
        ControllerManagerConfig.id,
      ),
    withImage: (main, image) => withCluster(main, { controllerManager: { ...main.cluster?.controllerManager, image } }),
  },
  {
    id: "kube-scheduler",
    image: "scheduler",
    read: (connection, node) =>
      openResources(connection, node, [SchedulerConfig]).get(SchedulerConfig, SchedulerConfig.id),
    withImage: (main, image) => withCluster(main, { scheduler: { ...main.cluster?.scheduler, image } }),
  },
];

/** The main document with other settings of the cluster. */
export function withCluster(main: MainConfig, settings: Partial<ClusterSection>): MainConfig {
  return { ...main, cluster: { ...main.cluster, ...settings } };
}
