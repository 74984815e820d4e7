import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { addressFilterController } from "./address-filter.ts";
import { kubePrismConfigController } from "./kube-prism-config.ts";
import { kubePrismController } from "./kube-prism.ts";
import { kubePrismEndpointsController } from "./kube-prism-endpoints.ts";
import { manifestController } from "./manifest.ts";
import { nodeIPConfigController } from "./node-ip-config.ts";
import { nodeIPController } from "./node-ip.ts";
import { nodenameController } from "./nodename.ts";
import { staticEndpointController } from "./static-endpoint.ts";

/** Controllers that say how the machine takes part in Kubernetes. */
export function k8sControllers(machine: Machine): readonly Controller[] {
  return [
    addressFilterController(),
    kubePrismConfigController(),
    kubePrismController(machine),
    kubePrismEndpointsController(),
    manifestController(),
    nodeIPConfigController(),
    nodeIPController(),
    nodenameController(),
    staticEndpointController(),
  ];
}
