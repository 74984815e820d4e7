import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { AddressSpec, type AddressSpecSpec } from "@talos-ts/machinery/resources/network";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import { isIPv6 } from "@talos-ts/base/net";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { configuredLinks } from "./internal/configured-links.ts";
import { devicesInput, readDevices } from "./internal/devices.ts";
import { addressId, configNamespace, layeredId } from "./internal/resource-ids.ts";

const loopback = AddressSpec.spec({
  address: "127.0.0.1/8",
  linkName: "lo",
  family: "inet4",
  scope: "host",
  flags: ["permanent"],
  layer: "default",
});

/** Static addresses of the configuration, and that of the loopback link, which a container already has. */
export function addressConfigController(machine: { readonly platform: { readonly mode: PlatformMode } }): Controller {
  return reduceController({
    name: "network.AddressConfigController",
    inputs: [activeConfigInput, devicesInput],
    outputs: [shared(AddressSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      const configured = configuredLinks(config, await readDevices(context)).flatMap(({ name, addresses }) =>
        addresses.map(({ address, priority }) => configuredAddress(name, address, priority)),
      );
      const specs = [...(machine.platform.mode === "container" ? [] : [loopback]), ...configured];
      return specs.map((spec) => {
        const id = layeredId(spec.layer, addressId(spec.linkName, spec.address));
        return createResource(AddressSpec, id, spec, { namespace: configNamespace });
      });
    },
  });
}

function configuredAddress(linkName: string, address: string, priority: number): AddressSpecSpec {
  return AddressSpec.spec({
    address,
    linkName,
    family: isIPv6(address) ? "inet6" : "inet4",
    scope: "global",
    flags: ["permanent"],
    priority,
    layer: "configuration",
  });
}
