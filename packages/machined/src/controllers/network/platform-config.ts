import { describeError } from "@talos-ts/base";
import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { HostnameSpec, PlatformConfig, ResolverSpec } from "@talos-ts/machinery/resources/network";
import { PlatformMetadata } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";
import { parseFqdn, type Fqdn } from "./internal/fqdn.ts";

/** Publishes what the platform says about the network: in a container its name and its resolvers. */
export function platformConfigController(machine: { readonly platform: Platform }): Controller {
  const { platform } = machine;
  return reduceController({
    name: "network.PlatformConfigController",
    inputs: [],
    outputs: [shared(PlatformConfig)],
    async reduce({ logger }) {
      const { hostname, resolvers, instanceType } = await platform.network();
      const fqdns: Fqdn[] = [];
      try {
        if (hostname !== undefined) fqdns.push(parseFqdn(hostname));
      } catch (err) {
        logger.warn("ignoring the hostname of the platform", { error: describeError(err) });
      }
      const spec = PlatformConfig.spec({
        hostnames: fqdns.map((fqdn) => HostnameSpec.spec({ ...fqdn, layer: "platform" })),
        resolvers: resolvers.length === 0 ? [] : [ResolverSpec.spec({ dnsServers: resolvers, layer: "platform" })],
        metadata: PlatformMetadata.spec({
          platform: platform.name,
          hostname: hostname ?? "",
          instanceType: instanceType ?? "",
        }),
      });
      return [createResource(PlatformConfig, PlatformConfig.ids.active, spec)];
    },
  });
}
