import { isIPv4 } from "node:net";
import {
  createResource,
  exclusive,
  reduceController,
  shared,
  weak,
  type Controller,
  type Resource,
  type ResourceType,
} from "@talos-ts/cosi";
import {
  AddressSpec,
  AddressStatus,
  HostnameSpec,
  LinkSpec,
  OperatorSpec,
  PlatformConfig,
  ProbeSpec,
  ResolverSpec,
  RouteSpec,
  TimeServerSpec,
  type PlatformConfigSpec,
} from "@talos-ts/machinery/resources/network";
import { PlatformMetadata } from "@talos-ts/machinery/resources/runtime";
import {
  addressId,
  configNamespace,
  externalLink,
  layeredId,
  operatorId,
  probeId,
  routeId,
} from "./internal/resource-ids.ts";

const specs = [
  AddressSpec,
  LinkSpec,
  RouteSpec,
  HostnameSpec,
  ResolverSpec,
  TimeServerSpec,
  OperatorSpec,
  ProbeSpec,
] as const;

/** Turns what the platform says into specs of the platform layer. What was kept from the last boot fills in until then. */
export function platformConfigApplyController(): Controller {
  return reduceController({
    name: "network.PlatformConfigApplyController",
    inputs: [weak(PlatformConfig)],
    outputs: [
      ...specs.map((type) => shared(type, configNamespace)),
      shared(AddressStatus),
      exclusive(PlatformMetadata),
    ],
    async reduce(context) {
      const active = await context.find(PlatformConfig, PlatformConfig.ids.active);
      const config = active ?? (await context.find(PlatformConfig, PlatformConfig.ids.cached));
      return config === undefined ? [] : resourcesOf(config.spec);
    },
  });
}

function resourcesOf(config: PlatformConfigSpec): readonly Resource[] {
  return [
    ...layered(AddressSpec, config.addresses, ({ linkName, address }) => addressId(linkName, address)),
    ...layered(LinkSpec, config.links, ({ name }) => name),
    ...layered(RouteSpec, config.routes, routeId),
    ...layered(HostnameSpec, config.hostnames.slice(-1), () => HostnameSpec.id),
    ...layered(ResolverSpec, config.resolvers.slice(-1), () => ResolverSpec.id),
    ...layered(TimeServerSpec, config.timeServers.slice(-1), () => TimeServerSpec.id),
    ...layered(OperatorSpec, config.operators, operatorId),
    ...layered(ProbeSpec, config.probes, probeId),
    ...config.externalIPs.map(externalAddress),
    ...(config.metadata === undefined ? [] : [createResource(PlatformMetadata, PlatformMetadata.id, config.metadata)]),
  ];
}

function layered<S extends object>(
  type: ResourceType<S>,
  list: readonly S[],
  idOf: (spec: S) => string,
): readonly Resource[] {
  return list.map((spec) =>
    createResource<S>(
      type,
      layeredId("platform", idOf(spec)),
      { ...spec, layer: "platform" },
      { namespace: configNamespace },
    ),
  );
}

/** An address others reach this machine by, which no link of it has. */
function externalAddress(ip: string): Resource {
  const v4 = isIPv4(ip);
  const address = `${ip}/${v4 ? "32" : "128"}`;
  const spec = AddressStatus.spec({
    address,
    linkName: externalLink,
    family: v4 ? "inet4" : "inet6",
    scope: "global",
  });
  return createResource(AddressStatus, addressId(externalLink, address), spec);
}
