import { describeError } from "@talos-ts/base";
import { createResource, reduceController, shared, weak, type Controller, type Resource } from "@talos-ts/cosi";
import {
  AddressSpec,
  HostnameSpec,
  LinkSpec,
  LinkStatus,
  ResolverSpec,
  RouteSpec,
  TimeServerSpec,
} from "@talos-ts/machinery/resources/network";
import { KernelCmdline } from "@talos-ts/machinery/resources/runtime";
import { parseKernelArguments } from "../../command-line/kernel-arguments.ts";
import { ipArguments, type LinkAddress } from "./internal/ip-arguments.ts";
import { parseFqdn } from "./internal/fqdn.ts";
import { addressId, configNamespace, layeredId, routeId } from "./internal/resource-ids.ts";

const layer = "cmdline";
const defaultMetric = 1024;

/** Turns `ip=` and `talos.hostname=` of the kernel's command line into specs of the command line layer. */
export function cmdlineConfigController(): Controller {
  return reduceController({
    name: "network.CmdlineConfigController",
    inputs: [weak(KernelCmdline), weak(LinkStatus)],
    outputs: [AddressSpec, HostnameSpec, LinkSpec, ResolverSpec, RouteSpec, TimeServerSpec].map((type) =>
      shared(type, configNamespace),
    ),
    async reduce(context) {
      const { addresses, problems } = await ipArguments(context);
      for (const problem of problems) context.logger.warn("ignoring a kernel argument", { error: problem });
      const cmdline = (await context.find(KernelCmdline, KernelCmdline.id))?.spec.cmdline ?? "";
      const names = [
        ...addresses.map(({ hostname }) => hostname),
        parseKernelArguments(cmdline).last("talos.hostname"),
      ];
      const resources = [...addresses.flatMap(linkResources), ...serverResources(addresses)];
      for (const name of names.filter((text) => text !== undefined && text !== "").slice(-1)) {
        try {
          resources.push(hostnameResource(name ?? ""));
        } catch (err) {
          context.logger.warn("ignoring the hostname of the kernel arguments", { error: describeError(err) });
        }
      }
      return resources;
    },
  });
}

const place = { namespace: configNamespace } as const;

function linkResources({ link, address, gateway }: LinkAddress): Resource[] {
  const addressSpec = AddressSpec.spec({
    address,
    linkName: link,
    family: "inet4",
    scope: "global",
    flags: ["permanent"],
    layer,
  });
  const routeSpec = RouteSpec.spec({
    family: "inet4",
    gateway,
    outLinkName: link,
    table: "main",
    priority: defaultMetric,
    scope: "global",
    type: "unicast",
    protocol: "boot",
    layer,
  });
  return [
    createResource(LinkSpec, layeredId(layer, link), LinkSpec.spec({ name: link, up: true, layer }), place),
    createResource(AddressSpec, layeredId(layer, addressId(link, address)), addressSpec, place),
    ...(gateway === "" ? [] : [createResource(RouteSpec, layeredId(layer, routeId(routeSpec)), routeSpec, place)]),
  ];
}

function serverResources(addresses: readonly LinkAddress[]): Resource[] {
  const dnsServers = addresses.flatMap(({ resolvers }) => resolvers);
  const timeServers = addresses.flatMap((each) => each.timeServers);
  const resolver = ResolverSpec.spec({ dnsServers, layer });
  const time = TimeServerSpec.spec({ timeServers, layer });
  return [
    ...(dnsServers.length === 0
      ? []
      : [createResource(ResolverSpec, layeredId(layer, ResolverSpec.id), resolver, place)]),
    ...(timeServers.length === 0
      ? []
      : [createResource(TimeServerSpec, layeredId(layer, TimeServerSpec.id), time, place)]),
  ];
}

function hostnameResource(name: string): Resource {
  const spec = HostnameSpec.spec({ ...parseFqdn(name), layer });
  return createResource(HostnameSpec, layeredId(layer, HostnameSpec.id), spec, place);
}
