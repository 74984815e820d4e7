import { createResource, reduceController, shared, weak, type Controller, type Resource } from "@talos-ts/cosi";
import { LinkSpec, LinkStatus, type LinkStatusSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { devicesInput, readDevices } from "./internal/devices.ts";
import { linkSpecs, type LinkResolver } from "./internal/link-specs.ts";
import { configNamespace, layeredId } from "./internal/resource-ids.ts";
import { isPhysical } from "./link-status.ts";

/** Links of the configuration; the loopback and network cards that it does not mention are brought up. */
export function linkConfigController(): Controller {
  return reduceController({
    name: "network.LinkConfigController",
    inputs: [activeConfigInput, devicesInput, weak(LinkStatus)],
    outputs: [shared(LinkSpec, configNamespace)],
    async reduce(context) {
      const statuses = await context.list(LinkStatus);
      const devices = await readDevices(context);
      const configured = linkSpecs(await activeConfig(context), devices, resolverOf(statuses));
      const mentioned = new Set([...configured.map(({ name }) => name), ...devices.map((device) => device.interface)]);
      const defaults = statuses
        .filter(({ metadata, spec }) => !mentioned.has(metadata.id) && (isPhysical(spec) || metadata.id === "lo"))
        .map(({ metadata, spec }) => LinkSpec.spec({ name: metadata.id, up: true, type: spec.type, layer: "default" }));
      return [...defaults, ...configured].map((spec) =>
        createResource(LinkSpec, layeredId(spec.layer, spec.name), spec, { namespace: configNamespace }),
      );
    },
  });
}

function resolverOf(statuses: readonly Resource<LinkStatusSpec>[]): LinkResolver {
  const find = (name: string) =>
    statuses.find(({ metadata }) => metadata.id === name) ??
    statuses.find(({ spec }) => name !== "" && (spec.alias === name || spec.altNames.includes(name)));
  return {
    nameOf: (name) => find(name)?.metadata.id ?? name,
    indexOf: (name) => find(name)?.spec.index,
  };
}
