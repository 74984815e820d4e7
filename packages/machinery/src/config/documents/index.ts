/** Every kind of document; the only file that knows them all. */

import type { DocumentSchema } from "../schema/document.ts";
import { blackholeRouteConfig } from "./blackhole-route-config.ts";
import { bondConfig } from "./bond-config.ts";
import { bridgeConfig } from "./bridge-config.ts";
import { dhcpV4Config } from "./dhcp-v4-config.ts";
import { dhcpV6Config } from "./dhcp-v6-config.ts";
import { dummyLinkConfig } from "./dummy-link-config.ts";
import { environmentConfig } from "./environment-config.ts";
import { etcdDefragmentationConfig } from "./etcd-defragmentation-config.ts";
import { ethernetConfig } from "./ethernet-config.ts";
import { eventSinkConfig } from "./event-sink-config.ts";
import { existingVolumeConfig } from "./existing-volume-config.ts";
import { extensionServiceConfig } from "./extension-service-config.ts";
import { externalVolumeConfig } from "./external-volume-config.ts";
import { hcloudVipConfig } from "./hcloud-vip-config.ts";
import { hostnameConfig } from "./hostname-config.ts";
import { imageVerificationConfig } from "./image-verification-config.ts";
import { kmsgLogConfig } from "./kmsg-log-config.ts";
import { kubeSpanConfig } from "./kube-span-config.ts";
import { kubeSpanEndpointsConfig } from "./kube-span-endpoints-config.ts";
import { layer2VipConfig } from "./layer2-vip-config.ts";
import { linkAliasConfig } from "./link-alias-config.ts";
import { linkConfig } from "./link-config.ts";
import { networkDefaultActionConfig } from "./network-default-action-config.ts";
import { networkRuleConfig } from "./network-rule-config.ts";
import { oomConfig } from "./oom-config.ts";
import { pciDriverRebindConfig } from "./pci-driver-rebind-config.ts";
import { rawVolumeConfig } from "./raw-volume-config.ts";
import { registryAuthConfig } from "./registry-auth-config.ts";
import { registryMirrorConfig } from "./registry-mirror-config.ts";
import { registryTlsConfig } from "./registry-tls-config.ts";
import { resolverConfig } from "./resolver-config.ts";
import { routingRuleConfig } from "./routing-rule-config.ts";
import { siderolinkConfig } from "./siderolink-config.ts";
import { staticHostConfig } from "./static-host-config.ts";
import { swapVolumeConfig } from "./swap-volume-config.ts";
import { tcpProbeConfig } from "./tcp-probe-config.ts";
import { timeSyncConfig } from "./time-sync-config.ts";
import { trustedRootsConfig } from "./trusted-roots-config.ts";
import { userVolumeConfig } from "./user-volume-config.ts";
import { vlanConfig } from "./vlan-config.ts";
import { volumeConfig } from "./volume-config.ts";
import { vrfConfig } from "./vrf-config.ts";
import { watchdogTimerConfig } from "./watchdog-timer-config.ts";
import { wireguardConfig } from "./wireguard-config.ts";
import { zswapConfig } from "./zswap-config.ts";
import { mainConfigDocument } from "./v1alpha1/config.ts";

const documents: readonly DocumentSchema[] = [
  mainConfigDocument,
  blackholeRouteConfig,
  bondConfig,
  bridgeConfig,
  dhcpV4Config,
  dhcpV6Config,
  dummyLinkConfig,
  environmentConfig,
  etcdDefragmentationConfig,
  ethernetConfig,
  eventSinkConfig,
  existingVolumeConfig,
  extensionServiceConfig,
  externalVolumeConfig,
  hcloudVipConfig,
  hostnameConfig,
  imageVerificationConfig,
  kmsgLogConfig,
  kubeSpanConfig,
  kubeSpanEndpointsConfig,
  layer2VipConfig,
  linkAliasConfig,
  linkConfig,
  networkDefaultActionConfig,
  networkRuleConfig,
  oomConfig,
  pciDriverRebindConfig,
  rawVolumeConfig,
  registryAuthConfig,
  registryMirrorConfig,
  registryTlsConfig,
  resolverConfig,
  routingRuleConfig,
  siderolinkConfig,
  staticHostConfig,
  swapVolumeConfig,
  tcpProbeConfig,
  timeSyncConfig,
  trustedRootsConfig,
  userVolumeConfig,
  vlanConfig,
  volumeConfig,
  vrfConfig,
  watchdogTimerConfig,
  wireguardConfig,
  zswapConfig,
];

const byKind: ReadonlyMap<string, DocumentSchema> = new Map(documents.map((schema) => [schema.kind, schema]));

/** @param kind as written; `v1alpha1` for the main document */
export function findDocument(kind: string): DocumentSchema | undefined {
  return byKind.get(kind);
}

/** Kinds as written in documents, without the main document. */
export function documentKinds(): readonly string[] {
  return [...byKind.keys()].filter((kind) => kind !== "v1alpha1");
}

/** The main document first, then all others by kind. */
export function documentSchemas(): readonly DocumentSchema[] {
  return documents;
}

export { linkKinds } from "./shared/link.ts";

/** The schemas themselves, for `documentsOf(config, bondConfig)` and `DocumentOf<typeof bondConfig>`. */
export {
  blackholeRouteConfig,
  bondConfig,
  bridgeConfig,
  dhcpV4Config,
  dhcpV6Config,
  dummyLinkConfig,
  environmentConfig,
  etcdDefragmentationConfig,
  ethernetConfig,
  eventSinkConfig,
  existingVolumeConfig,
  extensionServiceConfig,
  externalVolumeConfig,
  hcloudVipConfig,
  hostnameConfig,
  imageVerificationConfig,
  kmsgLogConfig,
  kubeSpanConfig,
  kubeSpanEndpointsConfig,
  layer2VipConfig,
  linkAliasConfig,
  linkConfig,
  networkDefaultActionConfig,
  networkRuleConfig,
  oomConfig,
  pciDriverRebindConfig,
  rawVolumeConfig,
  registryAuthConfig,
  registryMirrorConfig,
  registryTlsConfig,
  resolverConfig,
  routingRuleConfig,
  siderolinkConfig,
  staticHostConfig,
  swapVolumeConfig,
  tcpProbeConfig,
  timeSyncConfig,
  trustedRootsConfig,
  userVolumeConfig,
  vlanConfig,
  volumeConfig,
  vrfConfig,
  watchdogTimerConfig,
  wireguardConfig,
  zswapConfig,
  mainConfigDocument,
};
