import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { documentsOf, kmsgLogConfig } from "@talos-ts/machinery/config";
import { KmsgLogConfig } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Receivers of kernel messages that the configuration names. */
export function kmsgLogConfigController(): Controller {
  return reduceController({
    name: "runtime.KmsgLogConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(KmsgLogConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      const destinations = (config === undefined ? [] : documentsOf(config, kmsgLogConfig)).flatMap(({ url }) =>
        url === undefined ? [] : [url],
      );
      if (destinations.length === 0) return [];
      return [createResource(KmsgLogConfig, KmsgLogConfig.id, KmsgLogConfig.spec({ destinations }))];
    },
  });
}
