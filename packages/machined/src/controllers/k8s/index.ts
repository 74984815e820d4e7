import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { addressFilterController } from "./address-filter.ts";
import { kubePrismConfigController } from "./kube-prism-config.ts";
import { kubePrismController } from "./kube-prism.ts";
import { kubePrismEndpointsController } from "./kube-prism-endpoints.ts";
import { manifestController } from "./manifest.ts";
import { nodeIPConfigController } from "./node-ip-config.ts";
import { nodeIPController } from "./node-ip.ts";
import { nodenameController } from "./nodename.ts";
import { staticEndpointController } from "./static-endpoint.ts";

/** Controllers of the node's part in Kubernetes. */
export const k8sControllers: readonly ControllerRow[] = [
  pure(addressFilterController),
  pure(kubePrismConfigController),
  effect(kubePrismController),
  pure(kubePrismEndpointsController),
  pure(manifestController),
  pure(nodeIPConfigController),
  pure(nodeIPController),
  pure(nodenameController),
  pure(staticEndpointController),
];
