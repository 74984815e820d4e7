import { goDurationMs } from "@talos-ts/base";
import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { documentsOf, tcpProbeConfig, type Config } from "@talos-ts/machinery/config";
import { ProbeSpec, type ProbeSpecSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { configNamespace, layeredId, probeId } from "./internal/resource-ids.ts";

/** Connectivity probes of the configuration. */
export function probeConfigController(): Controller {
  return reduceController({
    name: "network.ProbeConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(ProbeSpec, configNamespace)],
    async reduce(context) {
      return probesOf(await activeConfig(context)).map((spec) =>
        createResource(ProbeSpec, layeredId(spec.layer, probeId(spec)), spec, { namespace: configNamespace }),
      );
    },
  });
}

function probesOf(config: Config | undefined): readonly ProbeSpecSpec[] {
  const documents = config === undefined ? [] : documentsOf(config, tcpProbeConfig);
  return documents.map(({ interval = "1s", failureThreshold = 0, endpoint = "", timeout = "10s" }) =>
    ProbeSpec.spec({
      intervalMs: goDurationMs(interval),
      failureThreshold,
      tcp: { endpoint, timeoutMs: goDurationMs(timeout) },
      layer: "configuration",
    }),
  );
}
