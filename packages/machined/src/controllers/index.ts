import type { Controller, QueueController } from "@talos-ts/cosi";
import type { Machine } from "../machine.ts";
import { blockControllers } from "./block/index.ts";
import { clusterControllers } from "./cluster/index.ts";
import { configControllers } from "./config/index.ts";
import { criControllers } from "./cri/index.ts";
import { etcdControllers } from "./etcd/index.ts";
import { filesControllers } from "./files/index.ts";
import { k8sControllers } from "./k8s/index.ts";
import { networkControllers } from "./network/index.ts";
import { runtimeControllers } from "./runtime/index.ts";
import { secretsControllers } from "./secrets/index.ts";
import { timeControllers } from "./time/index.ts";
import { v1alpha1Controllers } from "./v1alpha1/index.ts";

/** Every controller of the machine: the whole system as one list. */
export function controllers(machine: Machine): readonly (Controller | QueueController)[] {
  return [
    ...blockControllers(machine),
    ...clusterControllers(machine),
    ...configControllers(machine),
    ...criControllers(machine),
    ...etcdControllers(machine),
    ...filesControllers(machine),
    ...k8sControllers(machine),
    ...networkControllers(machine),
    ...runtimeControllers(machine),
    ...secretsControllers(machine),
    ...timeControllers(machine),
    ...v1alpha1Controllers(machine),
  ];
}
