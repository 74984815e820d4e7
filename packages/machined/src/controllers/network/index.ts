import type { Controller, QueueController } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { addressConfigController } from "./address-config.ts";
import { addressSpecController } from "./address-spec.ts";
import { addressStatusController } from "./address-status.ts";
import { dnsResolveCacheController } from "./dns-resolve-cache.ts";
import { dnsUpstreamController } from "./dns-upstream.ts";
import { networkEtcFileController } from "./etc-file.ts";
import { hardwareAddressController } from "./hardware-address.ts";
import { hostDnsConfigController } from "./host-dns-config.ts";
import { hostnameConfigController } from "./hostname-config.ts";
import { hostnameSpecController } from "./hostname-spec.ts";
import { linkStatusController } from "./link-status.ts";
import { mergeControllers } from "./merges.ts";
import { nodeAddressController } from "./node-address.ts";
import { nodeAddressSortAlgorithmController } from "./node-address-sort-algorithm.ts";
import { platformConfigController } from "./platform-config.ts";
import { platformConfigApplyController } from "./platform-config-apply.ts";
import { platformConfigLoadController } from "./platform-config-load.ts";
import { platformConfigStoreController } from "./platform-config-store.ts";
import { probeController } from "./probe.ts";
import { probeConfigController } from "./probe-config.ts";
import { resolverConfigController } from "./resolver-config.ts";
import { resolverSpecController } from "./resolver-spec.ts";
import { routeConfigController } from "./route-config.ts";
import { routeSpecController } from "./route-spec.ts";
import { routeStatusController } from "./route-status.ts";
import { routingRuleStatusController } from "./routing-rule-status.ts";
import { networkStatusController } from "./status.ts";
import { timeServerConfigController } from "./time-server-config.ts";
import { timeServerSpecController } from "./time-server-spec.ts";

export function networkControllers(machine: Machine): readonly (Controller | QueueController)[] {
  return [
    ...mergeControllers(),
    addressConfigController(machine),
    addressSpecController(machine),
    addressStatusController(machine),
    dnsResolveCacheController(machine),
    dnsUpstreamController(machine),
    hardwareAddressController(),
    hostDnsConfigController(),
    hostnameConfigController(),
    hostnameSpecController(machine),
    linkStatusController(machine),
    networkEtcFileController(machine),
    networkStatusController(machine),
    nodeAddressController(),
    nodeAddressSortAlgorithmController(),
    platformConfigApplyController(),
    platformConfigController(machine),
    platformConfigLoadController(machine),
    platformConfigStoreController(machine),
    probeConfigController(),
    probeController(machine),
    resolverConfigController(),
    resolverSpecController(),
    routeConfigController(),
    routeSpecController(machine),
    routeStatusController(machine),
    routingRuleStatusController(machine),
    timeServerConfigController(),
    timeServerSpecController(),
  ];
}
