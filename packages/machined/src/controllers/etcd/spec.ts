import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { EtcdConfig, EtcdSpec, type EtcdConfigSpec } from "@talos-ts/machinery/resources/etcd";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { addressOf, filterAddresses } from "@talos-ts/base/net";

const routed = "routed-no-k8s";
const current = "current-no-k8s";

/** Resolves the configuration of etcd to the name and the addresses of this machine. */
export function etcdSpecController(): Controller {
  return reduceController({
    name: "etcd.SpecController",
    inputs: [
      weak(EtcdConfig, { id: EtcdConfig.id }),
      weak(HostnameStatus, { id: HostnameStatus.id }),
      weak(NodeAddress, { id: routed }),
      weak(NodeAddress, { id: current }),
    ],
    outputs: [exclusive(EtcdSpec)],
    async reduce(context) {
      const config = await context.find(EtcdConfig, EtcdConfig.id);
      if (config === undefined) return [];
      const hostname = await context.find(HostnameStatus, HostnameStatus.id);
      const routedAddresses = await context.find(NodeAddress, routed);
      const currentAddresses = await context.find(NodeAddress, current);
      if (hostname === undefined || routedAddresses === undefined || currentAddresses === undefined) return undefined;
      const addresses = resolveAddresses(
        config.spec,
        routedAddresses.spec.addresses.map(addressOf),
        currentAddresses.spec.addresses.map(addressOf),
      );
      if (addresses === undefined) {
        context.logger.warn(
          "no suitable address for etcd, please check .cluster.etcd.advertisedSubnets and listenSubnets",
          {
            routed: routedAddresses.spec.addresses,
            current: currentAddresses.spec.addresses,
          },
        );
        return undefined;
      }
      const { image, extraArgs } = config.spec;
      const spec = EtcdSpec.spec({ name: hostname.spec.hostname, image, extraArgs, ...addresses });
      return [createResource(EtcdSpec, EtcdSpec.id, spec)];
    },
  });
}

interface EtcdAddresses {
  readonly advertisedAddresses: string[];
  readonly listenPeerAddresses: string[];
  readonly listenClientAddresses: string[];
}

/** `undefined` when no address passes the filters. */
function resolveAddresses(
  config: EtcdConfigSpec,
  routedAddresses: readonly string[],
  currentAddresses: readonly string[],
): EtcdAddresses | undefined {
  const { advertiseValidSubnets, advertiseExcludeSubnets, listenValidSubnets, listenExcludeSubnets } = config;
  const advertised = filterAddresses(advertiseValidSubnets.length === 0 ? routedAddresses : currentAddresses, [
    ...(advertiseValidSubnets.length === 0 ? ["0.0.0.0/0", "::/0"] : advertiseValidSubnets),
    ...excluded(advertiseExcludeSubnets),
  ]);
  // One address is enough for others to find the member; several only where the configuration names their networks.
  const advertisedAddresses = advertiseValidSubnets.length === 0 ? advertised.slice(0, 1) : [...advertised];
  const listen = [...listenValidSubnets, ...excluded(listenExcludeSubnets)];
  const peers = listen.length === 0 ? ["0.0.0.0"] : [...filterAddresses(routedAddresses, listen)];
  if (advertisedAddresses.length === 0 || peers.length === 0) return undefined;
  return {
    advertisedAddresses,
    listenPeerAddresses: peers,
    // Health checks and the API server use the loopback address.
    listenClientAddresses: listen.length === 0 ? peers : ["127.0.0.1", ...peers],
  };
}

function excluded(subnets: readonly string[]): readonly string[] {
  return subnets.map((subnet) => `!${subnet}`);
}
