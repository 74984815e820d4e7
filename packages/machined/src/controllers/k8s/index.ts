import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { addressFilterController } from "./address-filter.ts";
import { controlPlaneAdmissionControlController } from "./control-plane-admission-control.ts";
import { controlPlaneAPIServerController } from "./control-plane-api-server.ts";
import { controlPlaneAuditPolicyController } from "./control-plane-audit-policy.ts";
import { controlPlaneAuthorizationController } from "./control-plane-authorization.ts";
import { controlPlaneBootstrapManifestsController } from "./control-plane-bootstrap-manifests.ts";
import { controlPlaneControllerManagerController } from "./control-plane-controller-manager.ts";
import { controlPlaneExtraManifestsController } from "./control-plane-extra-manifests.ts";
import { controlPlaneSchedulerController } from "./control-plane-scheduler.ts";
import { controlPlaneStaticPodController } from "./control-plane-static-pod.ts";
import { endpointController } from "./endpoint.ts";
import { extraManifestController } from "./extra-manifest.ts";
import { kubePrismConfigController } from "./kube-prism-config.ts";
import { kubePrismEndpointsController } from "./kube-prism-endpoints.ts";
import { kubePrismController } from "./kube-prism.ts";
import { kubeletConfigController } from "./kubelet-config.ts";
import { kubeletJoinController } from "./kubelet-join.ts";
import { kubeletKubeconfigController } from "./kubelet-kubeconfig.ts";
import { kubeletServiceController } from "./kubelet-service.ts";
import { kubeletSpecController } from "./kubelet-spec.ts";
import { kubeletStaticPodController } from "./kubelet-static-pod.ts";
import { manifestApplyController } from "./manifest-apply.ts";
import { manifestController } from "./manifest.ts";
import { nodeAnnotationSpecController } from "./node-annotation-spec.ts";
import { nodeApplyController } from "./node-apply.ts";
import { nodeCordonedSpecController } from "./node-cordoned-spec.ts";
import { nodeIPConfigController } from "./node-ip-config.ts";
import { nodeIPController } from "./node-ip.ts";
import { nodeLabelSpecController } from "./node-label-spec.ts";
import { nodeStatusController } from "./node-status.ts";
import { nodeTaintSpecController } from "./node-taint-spec.ts";
import { nodenameController } from "./nodename.ts";
import { renderConfigsStaticPodController } from "./render-configs-static-pod.ts";
import { renderSecretsStaticPodController } from "./render-secrets-static-pod.ts";
import { staticEndpointController } from "./static-endpoint.ts";
import { staticPodConfigController } from "./static-pod-config.ts";
import { staticPodServerController } from "./static-pod-server.ts";

/** Controllers of the node's part in Kubernetes. */
export const k8sControllers: readonly ControllerRow[] = [
  pure(addressFilterController),
  pure(controlPlaneAdmissionControlController),
  pure(controlPlaneAPIServerController),
  pure(controlPlaneAuditPolicyController),
  pure(controlPlaneAuthorizationController),
  pure(controlPlaneBootstrapManifestsController),
  pure(controlPlaneControllerManagerController),
  pure(controlPlaneExtraManifestsController),
  pure(controlPlaneSchedulerController),
  effect(() => controlPlaneStaticPodController({})),
  effect(endpointController),
  effect(extraManifestController),
  pure(kubeletConfigController),
  effect(kubeletJoinController),
  effect(kubeletKubeconfigController),
  effect(kubeletServiceController),
  effect(kubeletSpecController),
  effect(kubeletStaticPodController),
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
  effect(renderConfigsStaticPodController),
  effect(renderSecretsStaticPodController),
  pure(staticEndpointController),
  pure(staticPodConfigController),
  effect(staticPodServerController),
];
