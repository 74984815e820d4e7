import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { addressFilterController } from "./address-filter.ts";
import { endpointController } from "./endpoint.ts";
import { extraManifestController } from "./extra-manifest.ts";
import { kubePrismConfigController } from "./kube-prism-config.ts";
import { kubePrismController } from "./kube-prism.ts";
import { kubePrismEndpointsController } from "./kube-prism-endpoints.ts";
import { manifestApplyController } from "./manifest-apply.ts";
import { manifestController } from "./manifest.ts";
import { nodeAnnotationSpecController } from "./node-annotation-spec.ts";
import { nodeApplyController } from "./node-apply.ts";
import { nodeCordonedSpecController } from "./node-cordoned-spec.ts";
import { nodeIPConfigController } from "./node-ip-config.ts";
import { nodeIPController } from "./node-ip.ts";
import { nodeLabelSpecController } from "./node-label-spec.ts";
import { nodenameController } from "./nodename.ts";
import { nodeStatusController } from "./node-status.ts";
import { nodeTaintSpecController } from "./node-taint-spec.ts";
import { staticEndpointController } from "./static-endpoint.ts";

/** Controllers of the node's part in Kubernetes. */
export const k8sControllers: readonly ControllerRow[] = [
  pure(addressFilterController),
  effect(endpointController),
  effect(extraManifestController),
  pure(kubePrismConfigController),
  effect(kubePrismController),
  pure(kubePrismEndpointsController),
  effect(manifestApplyController),
  pure(manifestController),
  pure(nodeAnnotationSpecController),
  effect(nodeApplyController),
  pure(nodeCordonedSpecController),
  pure(nodeIPConfigController),
  pure(nodeIPController),
  pure(nodeLabelSpecController),
  pure(nodenameController),
  effect(nodeStatusController),
  pure(nodeTaintSpecController),
  pure(staticEndpointController),
];
