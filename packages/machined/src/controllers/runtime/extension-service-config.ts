import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { documentsOf, extensionServiceConfig } from "@talos-ts/machinery/config";
import { ExtensionServiceConfig } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Files and environment of extension services, as their documents give them. */
export function extensionServiceConfigController(): Controller {
  return reduceController({
    name: "runtime.ExtensionServiceConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(ExtensionServiceConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      const documents = config === undefined ? [] : documentsOf(config, extensionServiceConfig);
      return documents.map(({ name = "", configFiles = [], environment = [] }) => {
        const files = configFiles.map(({ content = "", mountPath = "" }) => ({ content, mountPath }));
        return createResource(ExtensionServiceConfig, name, { files, environment });
      });
    },
  });
}
