import { createResource, exclusive, reduceController, weak, type Controller, type Resource } from "@talos-ts/cosi";
import { LinkStatus, type LinkStatusSpec } from "@talos-ts/machinery/resources/network";
import { DeviceConfigSpec, type DeviceConfigSpecSpec } from "@talos-ts/machinery/resources/network-device";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { deviceId, type Device } from "./internal/devices.ts";
import { selectLinks } from "./internal/device-selector.ts";

/** Entries of `machine.network.interfaces`, one for each link that a selector chooses. */
export function deviceConfigController(): Controller {
  return reduceController({
    name: "network.DeviceConfigController",
    inputs: [activeConfigInput, weak(LinkStatus)],
    outputs: [exclusive(DeviceConfigSpec)],
    async reduce(context) {
      const config = await activeConfig(context);
      const links = await context.list(LinkStatus);
      return (config?.machine?.network?.interfaces ?? []).flatMap((device, position) =>
        namesOf(device, links).map((name) =>
          createResource(DeviceConfigSpec, deviceId(name, position), {
            device: { ...withPorts(device, links), interface: name } as DeviceConfigSpecSpec["device"],
          }),
        ),
      );
    },
  });
}

function namesOf(device: Device, links: readonly Resource<LinkStatusSpec>[]): readonly string[] {
  if (device.deviceSelector !== undefined) return selectLinks(device.deviceSelector, links);
  return (device.interface ?? "") === "" ? [] : [device.interface ?? ""];
}

/** The ports of a bond may be chosen by selectors too. */
function withPorts(device: Device, links: readonly Resource<LinkStatusSpec>[]): Device {
  const { deviceSelector: _, ...rest } = device;
  const selectors = device.bond?.deviceSelectors ?? [];
  if (selectors.length === 0) return rest;
  const chosen = selectors
    .flatMap((selector) => selectLinks(selector, links))
    .filter((name) => name !== device.interface);
  return {
    ...rest,
    bond: { ...device.bond, interfaces: [...new Set([...(device.bond?.interfaces ?? []), ...chosen])] },
  };
}
