export { parseExposedPort, type ExposedPort } from "./exposed-port.ts";
export { parseMount, type NodeMount } from "./node-mount.ts";
export { generateClusterConfigs, type ClusterConfigOptions, type ClusterConfigs } from "./cluster-config.ts";
export { findContext, removeContext, saveContext, type ContextOptions } from "./cluster-context.ts";
export {
  planCluster,
  type ClusterPlan,
  type ClusterRequest,
  type NodePlan,
  type NodeType,
  type ProvisionerName,
} from "./cluster-plan.ts";
export {
  clustersDirectory,
  listClusters,
  readState,
  usedImageCaches,
  type ClusterPhase,
  type ClusterState,
} from "./cluster-state.ts";
export { endpointAddress } from "./control-plane-endpoint.ts";
export { createCluster, type CreateOptions } from "./create-cluster.ts";
export { destroyCluster, type DestroyOptions } from "./destroy-cluster.ts";
export { nextCommands, type NextCommandOptions } from "./next-commands.ts";
export type { HostCommands } from "./host-processes.ts";
export { layout } from "./container/node-layout.ts";
export type { NodeImage, NodeStatus, Provisioner } from "./provisioner.ts";
export { provisionerOf, provisioners, unconfiguredNodes } from "./provisioners.ts";
export { restartNode, type RestartOptions } from "./restart-node.ts";
export type { Missing } from "./requirements.ts";
export { saveClusterLogs } from "./save-logs.ts";
export { formatCluster, showCluster, type ClusterView, type NodeView } from "./show-cluster.ts";
export { startCluster, type StartedCluster, type StartOptions } from "./start-cluster.ts";
export { superviseCluster, type SuperviseClusterOptions } from "./supervisor/supervise-cluster.ts";
export { stopCluster, type StoppedCluster, type StopOptions } from "./stop-cluster.ts";
export { apiPort, waitForNodes, type WaitOptions } from "./wait-for-nodes.ts";
export { chooseImages, imageModes, type ImageChoice, type ImageMode } from "./images/choose-images.ts";
export { createProbe, type ProbeRegistry } from "./images/probe-registries.ts";
export { imageReferences, kubernetesTag } from "./images/image-references.ts";
export { findAccelerator } from "./qemu/accelerator.ts";
export { commandMachine } from "./qemu/command-machine.ts";
export { machineFiles } from "./qemu/node-layout.ts";
