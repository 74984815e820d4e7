import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { timeSyncOf, type Config } from "@talos-ts/machinery/config";
import { TimeServerSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { configNamespace, layeredId } from "./internal/resource-ids.ts";

const defaultServers = ["time.cloudflare.com"] as const;

/** Time servers of the configuration, and the one that is used when no source names any. */
export function timeServerConfigController(): Controller {
  return reduceController({
    name: "network.TimeServerConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(TimeServerSpec, configNamespace)],
    async reduce(context) {
      const configured = configuredServers(await activeConfig(context));
      const specs = [
        TimeServerSpec.spec({ timeServers: defaultServers, layer: "default" }),
        ...(configured.length === 0 ? [] : [TimeServerSpec.spec({ timeServers: configured, layer: "configuration" })]),
      ];
      return specs.map((spec) =>
        createResource(TimeServerSpec, layeredId(spec.layer, TimeServerSpec.id), spec, { namespace: configNamespace }),
      );
    },
  });
}

function configuredServers(config: Config | undefined): readonly string[] {
  const settings = config === undefined ? undefined : timeSyncOf(config);
  return [...(settings?.servers ?? []), ...(settings?.ptpDevices ?? [])];
}
