import { describeError } from "@talos-ts/base";
import { createResource, reduceController, shared, weak, type Controller, type PureContext } from "@talos-ts/cosi";
import { metaKeyId, metaKeys } from "@talos-ts/machinery/constants";
import { SystemInformation } from "@talos-ts/machinery/resources/hardware";
import {
  HostnameSpec,
  PlatformConfig,
  ResolverSpec,
  type PlatformConfigSpec,
} from "@talos-ts/machinery/resources/network";
import { MetaKey, PlatformMetadata } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";
import { parseFqdn, type Fqdn } from "./internal/fqdn.ts";
import { parsePlatformConfig } from "./internal/platform-config-file.ts";

const metaId = metaKeyId(metaKeys.metalNetworkPlatformConfig);

/**
 * Publishes what the platform says about the network: in a container its name and its resolvers, on a machine with hardware of
 * its own what META has.
 */
export function platformConfigController(machine: { readonly platform: Platform }): Controller {
  const { platform } = machine;
  return reduceController({
    name: "network.PlatformConfigController",
    inputs: [weak(MetaKey, { id: metaId }), weak(SystemInformation, { id: SystemInformation.id })],
    outputs: [shared(PlatformConfig)],
    async reduce(context) {
      const { hostname, resolvers, instanceType } = await platform.network();
      const fqdns: Fqdn[] = [];
      try {
        if (hostname !== undefined) fqdns.push(parseFqdn(hostname));
      } catch (err) {
        context.logger.warn("ignoring the hostname of the platform", { error: describeError(err) });
      }
      const spec = PlatformConfig.spec({
        hostnames: fqdns.map((fqdn) => HostnameSpec.spec({ ...fqdn, layer: "platform" })),
        resolvers: resolvers.length === 0 ? [] : [ResolverSpec.spec({ dnsServers: resolvers, layer: "platform" })],
        ...(platform.mode === "metal" && (await fromMeta(context))),
        metadata: PlatformMetadata.spec({
          platform: platform.name,
          hostname: hostname ?? "",
          instanceType: instanceType ?? "",
          instanceId: (await context.find(SystemInformation, SystemInformation.id))?.spec.uuid ?? "",
        }),
      });
      return [createResource(PlatformConfig, PlatformConfig.ids.active, spec)];
    },
  });
}

async function fromMeta(context: PureContext): Promise<Partial<PlatformConfigSpec>> {
  const value = (await context.find(MetaKey, metaId))?.spec.value;
  if (value === undefined) return {};
  try {
    return parsePlatformConfig(value, `META key ${metaId}`);
  } catch (err) {
    context.logger.warn("ignoring the network configuration of META", { error: describeError(err) });
    return {};
  }
}
