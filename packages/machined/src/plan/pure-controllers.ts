import type { Controller } from "@talos-ts/cosi";
import { volumeConfigController } from "../controllers/block/volume-config.ts";
import { affiliateMergeController } from "../controllers/cluster/affiliate-merge.ts";
import { configController } from "../controllers/cluster/config.ts";
import { endpointController } from "../controllers/cluster/endpoint.ts";
import { infoController } from "../controllers/cluster/info.ts";
import { localAffiliateController } from "../controllers/cluster/local-affiliate.ts";
import { memberController } from "../controllers/cluster/member.ts";
import { machineTypeController } from "../controllers/config/machine-type.ts";
import { registriesConfigController } from "../controllers/cri/registries-config.ts";
import { etcdConfigController } from "../controllers/etcd/config.ts";
import { etcdSpecController } from "../controllers/etcd/spec.ts";
import { addressFilterController } from "../controllers/k8s/address-filter.ts";
import { kubePrismConfigController } from "../controllers/k8s/kube-prism-config.ts";
import { kubePrismEndpointsController } from "../controllers/k8s/kube-prism-endpoints.ts";
import { manifestController } from "../controllers/k8s/manifest.ts";
import { nodeIPConfigController } from "../controllers/k8s/node-ip-config.ts";
import { nodeIPController } from "../controllers/k8s/node-ip.ts";
import { nodenameController } from "../controllers/k8s/nodename.ts";
import { staticEndpointController } from "../controllers/k8s/static-endpoint.ts";
import { addressConfigController } from "../controllers/network/address-config.ts";
import { networkEtcFileController } from "../controllers/network/etc-file.ts";
import { hostDnsConfigController } from "../controllers/network/host-dns-config.ts";
import { hostnameConfigController } from "../controllers/network/hostname-config.ts";
import { hostnameSpecController } from "../controllers/network/hostname-spec.ts";
import { mergeControllers } from "../controllers/network/merges.ts";
import { nodeAddressSortAlgorithmController } from "../controllers/network/node-address-sort-algorithm.ts";
import { nodeAddressController } from "../controllers/network/node-address.ts";
import { resolverConfigController } from "../controllers/network/resolver-config.ts";
import { resolverSpecController } from "../controllers/network/resolver-spec.ts";
import { routeConfigController } from "../controllers/network/route-config.ts";
import { timeServerConfigController } from "../controllers/network/time-server-config.ts";
import { timeServerSpecController } from "../controllers/network/time-server-spec.ts";
import { apiServiceConfigController } from "../controllers/runtime/api-service-config.ts";
import { kernelParamConfigController } from "../controllers/runtime/kernel-param-config.ts";
import { apiCertSANsController } from "../controllers/secrets/api-cert-sans.ts";
import { kubeletController } from "../controllers/secrets/kubelet.ts";
import { kubernetesCertSANsController } from "../controllers/secrets/kubernetes-cert-sans.ts";
import { maintenanceCertSANsController } from "../controllers/secrets/maintenance-cert-sans.ts";
import { rootEtcdController } from "../controllers/secrets/root-etcd.ts";
import { rootKubernetesController } from "../controllers/secrets/root-kubernetes.ts";
import { rootOSController } from "../controllers/secrets/root-os.ts";
import { trustedRootsController } from "../controllers/secrets/trusted-roots.ts";
import type { Stage } from "./stage.ts";

/**
 * Controllers whose outputs follow from resources alone, so that what they will do can be found out by running them on
 * copies. What is not here (certificates, the kernel, disks, services) is not foreseen: its resources stay as they are.
 *
 * A controller that belongs here takes nothing, or something of the stage that cannot reach the machine.
 */
export const pureControllers: readonly ((stage: Stage) => Controller | readonly Controller[])[] = [
  () => volumeConfigController(),

  () => affiliateMergeController(),
  () => configController(),
  () => endpointController(),
  () => infoController(),
  () => localAffiliateController(),
  () => memberController(),

  () => machineTypeController(),

  () => registriesConfigController(),

  () => etcdConfigController(),
  () => etcdSpecController(),

  () => addressFilterController(),
  () => kubePrismConfigController(),
  () => kubePrismEndpointsController(),
  () => manifestController(),
  () => nodeIPConfigController(),
  () => nodeIPController(),
  () => nodenameController(),
  () => staticEndpointController({ resolve: async (host) => [`<addresses of ${host}>`] }),

  ({ real }) => addressConfigController(real),
  ({ real, root }) => networkEtcFileController({ ...real, root }),
  () => hostDnsConfigController(),
  () => hostnameConfigController(),
  (stage) => hostnameSpecController(stage),
  () => mergeControllers(),
  () => nodeAddressController(),
  () => nodeAddressSortAlgorithmController(),
  () => resolverConfigController(),
  () => resolverSpecController(),
  () => routeConfigController(),
  () => timeServerConfigController(),
  () => timeServerSpecController(),

  () => apiServiceConfigController(),
  () => kernelParamConfigController(),

  () => apiCertSANsController(),
  () => kubeletController(),
  () => kubernetesCertSANsController(),
  () => maintenanceCertSANsController(),
  () => rootEtcdController(),
  () => rootKubernetesController(),
  () => rootOSController(),
  (stage) => trustedRootsController(stage),
];
