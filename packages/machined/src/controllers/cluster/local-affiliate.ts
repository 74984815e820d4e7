import { hostPort } from "@talos-ts/base";
import { createResource, reduceController, shared, weak, type Controller, type Reader } from "@talos-ts/cosi";
import { systemVersion } from "@talos-ts/machinery/constants";
import { Affiliate, DiscoveryConfig, Identity, type AffiliateSpec } from "@talos-ts/machinery/resources/cluster";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { APIServerConfig, NodeStatus, Nodename } from "@talos-ts/machinery/resources/k8s";
import { KubeSpanConfig, KubeSpanIdentity } from "@talos-ts/machinery/resources/kubespan";
import { AddressStatus, HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { addressOf, filterAddresses, isSideroLink } from "@talos-ts/base/net";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { fqdnOf } from "../internal/hostname.ts";
import { virtualAddresses } from "../internal/virtual-addresses.ts";

const routed = "routed-no-k8s";
const current = "current-no-k8s";
const kubeSpanPort = 51_820;
/** Namespace of the addresses that the discovery service sees. */
const publicNamespace = "cluster";

/** Publishes what this machine tells the others about itself. */
export function localAffiliateController(): Controller {
  return reduceController({
    name: "cluster.LocalAffiliateController",
    inputs: [
      activeConfigInput,
      weak(DiscoveryConfig, { id: DiscoveryConfig.id }),
      weak(Identity, { id: Identity.id }),
      weak(HostnameStatus, { id: HostnameStatus.id }),
      weak(Nodename, { id: Nodename.id }),
      weak(NodeAddress, { id: routed }),
      weak(NodeAddress, { id: current }),
      weak(NodeStatus),
      weak(KubeSpanIdentity, { id: KubeSpanIdentity.id }),
      weak(KubeSpanConfig, { id: KubeSpanConfig.id }),
      weak(MachineType, { id: MachineType.id }),
      weak(AddressStatus, { namespace: publicNamespace }),
      weak(APIServerConfig, { id: APIServerConfig.id }),
    ],
    outputs: [shared(Affiliate)],
    async reduce(context) {
      const discovery = await context.find(DiscoveryConfig, DiscoveryConfig.id);
      const identity = await context.find(Identity, Identity.id);
      const hostname = await context.find(HostnameStatus, HostnameStatus.id);
      const nodename = await context.find(Nodename, Nodename.id);
      const addresses = await context.find(NodeAddress, routed);
      const type = (await context.find(MachineType, MachineType.id))?.spec;
      if (discovery === undefined || identity === undefined || hostname === undefined) return undefined;
      if (nodename === undefined || addresses === undefined || type === undefined) return undefined;
      if (!discovery.spec.discoveryEnabled) return [];

      const apiServer = await context.find(APIServerConfig, APIServerConfig.id);
      const isControlPlane = type === "controlplane" || type === "init";
      const { nodeId } = identity.spec;
      const config = await activeConfig(context);
      const moving = new Set(config === undefined ? [] : virtualAddresses(config));
      const spec = Affiliate.spec({
        nodeId,
        // A virtual address is that of another machine in a moment: calls for this one would end there.
        addresses: addresses.spec.addresses.map(addressOf).filter((address) => !moving.has(address)),
        hostname: fqdnOf(hostname.spec),
        nodename: nodename.spec.nodename,
        operatingSystem: `Talos (${systemVersion})`,
        machineType: type,
        kubespan: await kubeSpanOf(context, nodename.spec.nodename),
        controlPlane: isControlPlane && apiServer !== undefined ? { port: apiServer.spec.localPort } : undefined,
      });
      return [createResource(Affiliate, nodeId, spec)];
    },
  });
}

/** Returns how others reach this machine through KubeSpan; nothing while KubeSpan is off. */
async function kubeSpanOf(context: Reader, nodename: string): Promise<AffiliateSpec["kubespan"] | undefined> {
  const identity = await context.find(KubeSpanIdentity, KubeSpanIdentity.id);
  const config = await context.find(KubeSpanConfig, KubeSpanConfig.id);
  if (identity === undefined || config === undefined) return undefined;
  const node = await context.find(NodeStatus, nodename);
  const own = (await context.find(NodeAddress, current))?.spec.addresses ?? [];
  const seen = await context.list(AddressStatus, { namespace: publicNamespace });

  const address = addressOf(identity.spec.address);
  const local = own.map(addressOf).filter((candidate) => candidate !== address && !isSideroLink(candidate));
  const reachable = [...new Set([...local, ...seen.map(({ spec }) => addressOf(spec.address))])];
  const endpoints = filterAddresses(reachable, config.spec.endpointFilters).map((host) => hostPort(host, kubeSpanPort));
  return {
    publicKey: identity.spec.publicKey,
    address,
    additionalAddresses: config.spec.advertiseKubernetesNetworks ? (node?.spec.podCIDRs ?? []) : [],
    endpoints: [...new Set([...endpoints, ...config.spec.extraEndpoints])],
    excludeAdvertisedNetworks: config.spec.excludeAdvertisedNetworks,
  };
}
