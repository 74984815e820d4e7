import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { documentOf, zswapConfig } from "@talos-ts/machinery/config";
import { KernelParamSpec, SettingProblem } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Share of memory that the cache may take, in percent. */
const defaultPercent = 20;
const flag = (value: boolean): string => (value ? "Y" : "N");

/** In a container it would be the cache of the host. */
const inContainer = SettingProblem.spec({
  setting: "ZswapConfig",
  reason: "the memory of a container is that of its host",
});

/** Publishes the kernel parameters of the compressed cache in front of swap: `ZswapConfig`. */
export function zswapConfigController({ platform }: { readonly platform: Pick<Platform, "mode"> }): Controller {
  return reduceController({
    name: "block.ZswapConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(KernelParamSpec), shared(SettingProblem)],
    async reduce(context) {
      const config = await activeConfig(context);
      const settings = config === undefined ? undefined : documentOf(config, zswapConfig);
      if (settings === undefined) return [];
      if (platform.mode === "container") return [createResource(SettingProblem, "zswap", inContainer)];
      const { maxPoolPercent = defaultPercent, shrinkerEnabled = false } = settings;
      const parameters = {
        enabled: flag(true),
        max_pool_percent: String(maxPoolPercent),
        shrinker_enabled: flag(shrinkerEnabled),
      };
      return Object.entries(parameters).map(([name, value]) =>
        // What a kernel lacks is shown as unsupported, and is a diagnostic.
        createResource(
          KernelParamSpec,
          `sys.module.zswap.parameters.${name}`,
          KernelParamSpec.spec({ value, ignoreErrors: true }),
        ),
      );
    },
  });
}
