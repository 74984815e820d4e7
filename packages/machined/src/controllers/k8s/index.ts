import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { addressFilterController } from "./address-filter.ts";
import { nodeIPConfigController } from "./node-ip-config.ts";
import { nodeIPController } from "./node-ip.ts";
import { nodenameController } from "./nodename.ts";
import { staticEndpointController } from "./static-endpoint.ts";

/** Controllers that say how the machine takes part in Kubernetes. */
export function k8sControllers(_machine: Machine): readonly Controller[] {
  return [
    addressFilterController(),
    nodeIPConfigController(),
    nodeIPController(),
    nodenameController(),
    staticEndpointController(),
  ];
}
