import type { Controller } from "@talos-ts/cosi";
import { blockControllers } from "./block/index.ts";
import { clusterControllers } from "./cluster/index.ts";
import { configControllers } from "./config/index.ts";
import type { ControllerDependencies, ControllerRow, PureDependencies } from "./controller-row.ts";
import { criControllers } from "./cri/index.ts";
import { etcdControllers } from "./etcd/index.ts";
import { filesControllers } from "./files/index.ts";
import { hardwareControllers } from "./hardware/index.ts";
import { k8sControllers } from "./k8s/index.ts";
import { kubeaccessControllers } from "./kubeaccess/index.ts";
import { networkControllers } from "./network/index.ts";
import { runtimeControllers } from "./runtime/index.ts";
import { secretsControllers } from "./secrets/index.ts";
import { securityControllers } from "./security/index.ts";
import { timeControllers } from "./time/index.ts";
import { v1alpha1Controllers } from "./v1alpha1/index.ts";

/** Registry of every controller of the machine: the whole system as one list. */
const controllerRows: readonly ControllerRow[] = [
  ...blockControllers,
  ...clusterControllers,
  ...configControllers,
  ...criControllers,
  ...etcdControllers,
  ...filesControllers,
  ...hardwareControllers,
  ...k8sControllers,
  ...kubeaccessControllers,
  ...networkControllers,
  ...runtimeControllers,
  ...secretsControllers,
  ...securityControllers,
  ...timeControllers,
  ...v1alpha1Controllers,
];

/** Makes every controller, for a machine. */
export function allControllers(dependencies: ControllerDependencies): readonly Controller[] {
  return controllerRows.map(({ make }) => make(dependencies));
}

/** Makes the pure controllers only, for a dry run. */
export function pureControllers(dependencies: PureDependencies): readonly Controller[] {
  return controllerRows.flatMap((row) => (row.pure ? [row.make(dependencies)] : []));
}
