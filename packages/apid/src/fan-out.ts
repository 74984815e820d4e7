/** Services whose replies are lists with one item per node, so that replies of several nodes can be joined. */
const mergeableServices = new Set([
  "cluster.ClusterService",
  "inspect.InspectService",
  "machine.MachineService",
  "operation.OperationService",
  "recovery.EtcdRecoveryService",
  "storage.StorageService",
  "time.TimeService",
]);

/** Methods that answer with a stream: each message is marked with its node and passed on as it comes. */
const streamingMethods = new Set([
  "/cluster.ClusterService/HealthCheck",
  "/machine.DebugService/ContainerRun",
  "/machine.LifecycleService/Install",
  "/machine.LifecycleService/Upgrade",
  "/machine.MachineService/Copy",
  "/machine.MachineService/DiskUsage",
  "/machine.MachineService/Dmesg",
  "/machine.MachineService/EtcdSnapshot",
  "/machine.MachineService/Events",
  "/machine.MachineService/ImageList",
  "/machine.MachineService/Kubeconfig",
  "/machine.MachineService/List",
  "/machine.MachineService/Logs",
  "/machine.MachineService/PacketCapture",
  "/machine.MachineService/Read",
]);

/** Reports whether a method (`/package.Service/Method`) may be sent to several nodes at once. */
export function allowsFanOut(method: string): boolean {
  return mergeableServices.has(method.slice(1, method.lastIndexOf("/")));
}

export function isStreaming(method: string): boolean {
  return streamingMethods.has(method) || method.endsWith("Stream");
}
