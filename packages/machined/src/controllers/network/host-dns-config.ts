import { isIPv4 } from "node:net";
import { createResource, exclusive, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { clusterNetworksOf, hostDnsOf } from "@talos-ts/machinery/config";
import { AddressSpec, HostDNSConfig } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { addressOf } from "@talos-ts/base/net";
import { addressId, configNamespace, layeredId } from "./internal/resource-ids.ts";

/** Listener for programs of the host. */
const localListenAddress = "127.0.0.53:53";
/** Listener for the DNS of the cluster: an address that is the same on every node and never routed. */
const serviceAddress = "169.254.116.108";

/** Reports whether and where the host answers DNS; the address for the cluster's DNS is put on the loopback link. */
export function hostDnsConfigController(): Controller {
  return reduceController({
    name: "network.HostDNSConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(HostDNSConfig), shared(AddressSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      const settings = config === undefined ? undefined : hostDnsOf(config);
      const podSubnets = config === undefined ? [] : clusterNetworksOf(config).podSubnets;
      const v4Pods = podSubnets.some((subnet) => isIPv4(addressOf(subnet)));
      const forward = settings?.forwardKubeDnsToHost === true && v4Pods;
      const spec = HostDNSConfig.spec({
        enabled: settings?.enabled === true,
        listenAddresses: [localListenAddress, ...(forward ? [`${serviceAddress}:53`] : [])],
        serviceHostDNSAddress: forward ? serviceAddress : "",
        resolveMemberNames: settings?.resolveMemberNames === true,
      });
      const resource = createResource(HostDNSConfig, HostDNSConfig.id, spec);
      return forward ? [resource, serviceAddressSpec()] : [resource];
    },
  });
}

function serviceAddressSpec() {
  const address = `${serviceAddress}/32`;
  const spec = AddressSpec.spec({
    address,
    linkName: "lo",
    family: "inet4",
    scope: "host",
    flags: ["permanent"],
    layer: "operator",
  });
  const id = layeredId("operator", addressId("lo", address));
  return createResource(AddressSpec, id, spec, { namespace: configNamespace });
}
