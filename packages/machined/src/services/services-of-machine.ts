import type { ServiceId } from "./definitions/index.ts";

/** Services of a configured machine by its type, besides those that run before there is a configuration. */
const byMachineType: Readonly<Record<string, readonly ServiceId[]>> = {
  worker: ["cri", "kubelet"],
  controlplane: ["cri", "kubelet", "trustd", "etcd"],
  init: ["cri", "kubelet", "trustd", "etcd"],
};

/** @param type `machine.type` of the configuration. @default {"worker"} */
export function servicesOfMachine(type = "worker"): readonly ServiceId[] {
  return byMachineType[type] ?? [];
}
