import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { documentOf, eventSinkConfig } from "@talos-ts/machinery/config";
import { EventSinkConfig } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Receiver of events that the configuration names. */
export function eventsSinkConfigController(): Controller {
  return reduceController({
    name: "runtime.EventsSinkConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(EventSinkConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      const { endpoint = "" } = (config === undefined ? undefined : documentOf(config, eventSinkConfig)) ?? {};
      if (endpoint === "") return [];
      return [createResource(EventSinkConfig, EventSinkConfig.id, EventSinkConfig.spec({ endpoint }))];
    },
  });
}
