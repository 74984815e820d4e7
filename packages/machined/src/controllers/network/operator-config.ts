import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import {
  dhcpV4Config,
  dhcpV6Config,
  documentsOf,
  linkKinds,
  type Config,
  type DocumentOf,
} from "@talos-ts/machinery/config";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import { LinkStatus, OperatorSpec, type OperatorSpecSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { KernelCmdline } from "@talos-ts/machinery/resources/runtime";
import { ipArguments } from "./internal/ip-arguments.ts";
import { devicesInput, readDevices, type Device } from "./internal/devices.ts";
import { configNamespace, layeredId, operatorId } from "./internal/resource-ids.ts";
import { isPhysical } from "./link-status.ts";

const defaultMetric = 1024;

/**
 * Links on which DHCP runs: those of the configuration, and outside containers DHCPv4 on every network card that neither
 * the configuration nor an address on the kernel's command line is about.
 */
export function operatorConfigController(machine: { readonly platform: { readonly mode: PlatformMode } }): Controller {
  return reduceController({
    name: "network.OperatorConfigController",
    inputs: [activeConfigInput, devicesInput, weak(LinkStatus), weak(KernelCmdline)],
    outputs: [shared(OperatorSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      const devices = await readDevices(context);
      const statuses = await context.list(LinkStatus);
      const nameOf = (name: string): string =>
        statuses.find(({ spec }) => spec.alias === name || spec.altNames.includes(name))?.metadata.id ?? name;
      const configured = [...devices.flatMap(deviceOperators), ...documentOperators(config, nameOf)];
      const { addresses } = await ipArguments(context);
      const mentioned = new Set([
        ...mentionedLinks(config).map(nameOf),
        ...devices.map((device) => device.interface),
        ...addresses.map(({ link }) => link),
      ]);
      const defaults = statuses
        .filter(({ metadata, spec }) => isPhysical(spec) && !mentioned.has(metadata.id))
        .map(({ metadata }) => dhcp4(metadata.id, { layer: "default" }));
      const specs = [...(machine.platform.mode === "container" ? [] : defaults), ...configured];
      return specs.map((spec) =>
        createResource(OperatorSpec, layeredId(spec.layer, operatorId(spec)), spec, { namespace: configNamespace }),
      );
    },
  });
}

type Dhcp4 = NonNullable<Parameters<typeof OperatorSpec.spec>[0]>["dhcp4"];

function dhcp4(
  linkName: string,
  { layer, ...settings }: { readonly layer: OperatorSpecSpec["layer"] } & Dhcp4,
): OperatorSpecSpec {
  return OperatorSpec.spec({
    operator: "dhcp4",
    linkName,
    requireUp: true,
    dhcp4: { routeMetric: defaultMetric, clientIdentifier: { clientIdentifier: "mac" }, ...settings },
    layer,
  });
}

type Dhcp6 = NonNullable<Parameters<typeof OperatorSpec.spec>[0]>["dhcp6"];

function dhcp6(linkName: string, settings: Dhcp6): OperatorSpecSpec {
  return OperatorSpec.spec({
    operator: "dhcp6",
    linkName,
    requireUp: true,
    dhcp6: { routeMetric: defaultMetric, clientIdentifier: { clientIdentifier: "mac" }, ...settings },
    layer: "configuration",
  });
}

/** The link itself, and its VLANs. */
function deviceOperators(device: Device): readonly OperatorSpecSpec[] {
  const { interface: name = "", ignore, vlans = [] } = device;
  if (ignore === true) return [];
  const places = [
    { link: name, ...device },
    ...vlans.map(({ vlanId = 0, dhcp, dhcpOptions }) => ({ link: `${name}.${String(vlanId)}`, dhcp, dhcpOptions })),
  ];
  return places
    .filter(({ dhcp }) => dhcp === true)
    .flatMap(({ link, dhcpOptions }) => {
      const { ipv4 = true, ipv6 = false, duidv6 = "", routeMetric: metric = 0 } = dhcpOptions ?? {};
      const routeMetric = metric === 0 ? defaultMetric : metric;
      const clientIdentifier = clientIdentifierOf(duidv6 === "" ? "mac" : "duid", duidv6);
      const v4 = ipv4 ? [dhcp4(link, { layer: "configuration", routeMetric })] : [];
      return v4.concat(ipv6 ? dhcp6(link, { routeMetric, clientIdentifier }) : []);
    });
}

function clientIdentifierOf(clientIdentifier: "none" | "mac" | "duid", duid: string) {
  return { clientIdentifier, duidRawHex: duid.replaceAll(":", "") };
}

function documentOperators(config: Config | undefined, nameOf: (name: string) => string): readonly OperatorSpecSpec[] {
  if (config === undefined) return [];
  return [
    ...documentsOf(config, dhcpV4Config).map((document) =>
      dhcp4(nameOf(document.name ?? ""), { layer: "configuration", ...documentSettings(document) }),
    ),
    ...documentsOf(config, dhcpV6Config).map((document) =>
      dhcp6(nameOf(document.name ?? ""), documentSettings(document)),
    ),
  ];
}

function documentSettings(document: DocumentOf<typeof dhcpV4Config>) {
  const { routeMetric = defaultMetric, ignoreHostname = false, clientIdentifier = "mac", duidRaw = "" } = document;
  return {
    routeMetric,
    skipHostnameRequest: ignoreHostname,
    clientIdentifier: clientIdentifierOf(clientIdentifier, duidRaw),
  };
}

/** Links that the configuration says something about, even if it is not DHCP. */
function mentionedLinks(config: Config | undefined): readonly string[] {
  return (config?.documents ?? [])
    .filter(({ kind }) => linkKinds.includes(kind) || kind === "DHCPv4Config" || kind === "DHCPv6Config")
    .flatMap(({ name, value }) => [name].concat((value as { readonly links?: readonly string[] }).links ?? []));
}
