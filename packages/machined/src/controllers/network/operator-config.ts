import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import { dhcpV4Config, documentsOf, linkKinds, type Config, type DocumentOf } from "@talos-ts/machinery/config";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import { LinkStatus, OperatorSpec, type OperatorSpecSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { devicesInput, readDevices, type Device } from "./internal/devices.ts";
import { configNamespace, layeredId, operatorId } from "./internal/resource-ids.ts";
import { isPhysical } from "./link-status.ts";

const defaultMetric = 1024;

/**
 * Links on which DHCPv4 runs: those of the configuration, and outside containers every network card that the configuration says
 * nothing about.
 */
export function operatorConfigController(machine: { readonly platform: { readonly mode: PlatformMode } }): Controller {
  return reduceController({
    name: "network.OperatorConfigController",
    inputs: [activeConfigInput, devicesInput, weak(LinkStatus)],
    outputs: [shared(OperatorSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      const devices = await readDevices(context);
      const statuses = await context.list(LinkStatus);
      const nameOf = (name: string): string =>
        statuses.find(({ spec }) => spec.alias === name || spec.altNames.includes(name))?.metadata.id ?? name;
      const configured = [...devices.flatMap(deviceOperators), ...documentOperators(config, nameOf)];
      const mentioned = new Set([...mentionedLinks(config).map(nameOf), ...devices.map((device) => device.interface)]);
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

/** The link itself, and its VLANs. */
function deviceOperators(device: Device): readonly OperatorSpecSpec[] {
  const { interface: name = "", ignore, vlans = [] } = device;
  if (ignore === true) return [];
  const places = [
    { link: name, ...device },
    ...vlans.map(({ vlanId = 0, dhcp, dhcpOptions }) => ({ link: `${name}.${String(vlanId)}`, dhcp, dhcpOptions })),
  ];
  return places
    .filter(({ dhcp, dhcpOptions }) => dhcp === true && dhcpOptions?.ipv4 !== false)
    .map(({ link, dhcpOptions }) => {
      const routeMetric = dhcpOptions?.routeMetric ?? 0;
      return dhcp4(link, { layer: "configuration", routeMetric: routeMetric === 0 ? defaultMetric : routeMetric });
    });
}

function documentOperators(config: Config | undefined, nameOf: (name: string) => string): readonly OperatorSpecSpec[] {
  return (config === undefined ? [] : documentsOf(config, dhcpV4Config)).map((document) =>
    dhcp4(nameOf(document.name ?? ""), { layer: "configuration", ...documentSettings(document) }),
  );
}

function documentSettings(document: DocumentOf<typeof dhcpV4Config>): Dhcp4 {
  const { routeMetric = defaultMetric, ignoreHostname = false, clientIdentifier = "mac", duidRaw = "" } = document;
  return {
    routeMetric,
    skipHostnameRequest: ignoreHostname,
    clientIdentifier: { clientIdentifier, duidRawHex: duidRaw.replaceAll(":", "") },
  };
}

/** Links that the configuration says something about, even if it is not DHCP. */
function mentionedLinks(config: Config | undefined): readonly string[] {
  return (config?.documents ?? [])
    .filter(({ kind }) => linkKinds.includes(kind) || kind === "DHCPv4Config" || kind === "DHCPv6Config")
    .flatMap(({ name, value }) => [name].concat((value as { readonly links?: readonly string[] }).links ?? []));
}
