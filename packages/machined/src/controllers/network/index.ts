import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { addressConfigController } from "./address-config.ts";
import { addressMergeController } from "./address-merge.ts";
import { addressSpecController } from "./address-spec.ts";
import { addressStatusController } from "./address-status.ts";
import { cmdlineConfigController } from "./cmdline-config.ts";
import { deviceConfigController } from "./device-config.ts";
import { dnsResolveCacheController } from "./dns-resolve-cache.ts";
import { dnsUpstreamController } from "./dns-upstream.ts";
import { networkEtcFileController } from "./etc-file.ts";
import { ethernetConfigController } from "./ethernet-config.ts";
import { ethernetSpecController } from "./ethernet-spec.ts";
import { ethernetStatusController } from "./ethernet-status.ts";
import { hardwareAddressController } from "./hardware-address.ts";
import { hostDnsConfigController } from "./host-dns-config.ts";
import { hostnameConfigController } from "./hostname-config.ts";
import { hostnameMergeController } from "./hostname-merge.ts";
import { hostnameSpecController } from "./hostname-spec.ts";
import { linkAliasConfigController } from "./link-alias-config.ts";
import { linkAliasSpecController } from "./link-alias-spec.ts";
import { linkConfigController } from "./link-config.ts";
import { linkMergeController } from "./link-merge.ts";
import { linkSpecController } from "./link-spec.ts";
import { linkStatusController } from "./link-status.ts";
import { networkStatusController } from "./network-status.ts";
import { nfTablesChainConfigController } from "./nftables-chain-config.ts";
import { nfTablesChainController } from "./nftables-chain.ts";
import { nodeAddressSortAlgorithmController } from "./node-address-sort-algorithm.ts";
import { nodeAddressController } from "./node-address.ts";
import { operatorConfigController } from "./operator-config.ts";
import { operatorMergeController } from "./operator-merge.ts";
import { operatorSpecController } from "./operator-spec.ts";
import { operatorVIPConfigController } from "./operator-vip-config.ts";
import { platformConfigApplyController } from "./platform-config-apply.ts";
import { platformConfigLoadController } from "./platform-config-load.ts";
import { platformConfigStoreController } from "./platform-config-store.ts";
import { platformConfigController } from "./platform-config.ts";
import { probeConfigController } from "./probe-config.ts";
import { probeMergeController } from "./probe-merge.ts";
import { probeController } from "./probe.ts";
import { resolverConfigController } from "./resolver-config.ts";
import { resolverMergeController } from "./resolver-merge.ts";
import { resolverSpecController } from "./resolver-spec.ts";
import { routeConfigController } from "./route-config.ts";
import { routeMergeController } from "./route-merge.ts";
import { routeSpecController } from "./route-spec.ts";
import { routeStatusController } from "./route-status.ts";
import { routingRuleConfigController } from "./routing-rule-config.ts";
import { routingRuleMergeController } from "./routing-rule-merge.ts";
import { routingRuleSpecController } from "./routing-rule-spec.ts";
import { routingRuleStatusController } from "./routing-rule-status.ts";
import { timeServerConfigController } from "./time-server-config.ts";
import { timeServerMergeController } from "./time-server-merge.ts";
import { timeServerSpecController } from "./time-server-spec.ts";
import { virtualAddressController } from "./virtual-address.ts";

/** Controllers of the network: configuration, merge, kernel, status. */
export const networkControllers: readonly ControllerRow[] = [
  pure(addressConfigController),
  pure(addressMergeController),
  effect(addressSpecController),
  effect(addressStatusController),
  pure(cmdlineConfigController),
  pure(deviceConfigController),
  effect(dnsResolveCacheController),
  effect(dnsUpstreamController),
  pure(networkEtcFileController),
  pure(ethernetConfigController),
  effect(ethernetSpecController),
  effect(ethernetStatusController),
  effect(hardwareAddressController),
  pure(hostDnsConfigController),
  pure(hostnameConfigController),
  pure(hostnameMergeController),
  pure(hostnameSpecController),
  pure(linkAliasConfigController),
  effect(linkAliasSpecController),
  pure(linkConfigController),
  pure(linkMergeController),
  effect(linkSpecController),
  effect(linkStatusController),
  effect(networkStatusController),
  pure(nfTablesChainConfigController),
  effect(nfTablesChainController),
  pure(nodeAddressSortAlgorithmController),
  pure(nodeAddressController),
  pure(operatorConfigController),
  pure(operatorMergeController),
  effect(operatorSpecController),
  pure(operatorVIPConfigController),
  effect(platformConfigApplyController),
  effect(platformConfigLoadController),
  effect(platformConfigStoreController),
  effect(platformConfigController),
  pure(probeConfigController),
  pure(probeMergeController),
  effect(probeController),
  pure(resolverConfigController),
  pure(resolverMergeController),
  pure(resolverSpecController),
  pure(routeConfigController),
  pure(routeMergeController),
  effect(routeSpecController),
  effect(routeStatusController),
  pure(routingRuleConfigController),
  pure(routingRuleMergeController),
  effect(routingRuleSpecController),
  effect(routingRuleStatusController),
  pure(timeServerConfigController),
  pure(timeServerMergeController),
  pure(timeServerSpecController),
  effect(virtualAddressController),
];
