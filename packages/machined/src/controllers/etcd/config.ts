import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { imagesOf, isControlPlane, machineTypeOf, type Config } from "@talos-ts/machinery/config";
import { EtcdConfig, type EtcdConfigSpec } from "@talos-ts/machinery/resources/etcd";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { virtualAddresses } from "../internal/virtual-addresses.ts";

/** Publishes the etcd section of the machine configuration; only control plane machines have one. */
export function etcdConfigController(): Controller {
  return reduceController({
    name: "etcd.ConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(EtcdConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      if (config?.cluster === undefined || !isControlPlane(machineTypeOf(config))) return [];
      return [createResource(EtcdConfig, EtcdConfig.id, etcdConfigOf(config))];
    },
  });
}

function etcdConfigOf(config: Config): EtcdConfigSpec {
  const { extraArgs = {}, subnet, advertisedSubnets = [], listenSubnets = [] } = config.cluster?.etcd ?? {};
  const advertised = advertisedSubnets.length > 0 || subnet === undefined ? advertisedSubnets : [subnet];
  return EtcdConfig.spec({
    advertiseValidSubnets: [...advertised],
    // A virtual address moves between members, so it cannot name one of them.
    advertiseExcludeSubnets: [...virtualAddresses(config)],
    listenValidSubnets: [...(listenSubnets.length > 0 ? listenSubnets : advertisedSubnets)],
    image: imagesOf(config).etcd,
    extraArgs: Object.fromEntries(Object.entries(extraArgs).map(([name, value]) => [name, { values: [value].flat() }])),
  });
}
