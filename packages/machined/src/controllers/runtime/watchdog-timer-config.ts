import { goDurationMs } from "@talos-ts/base";
import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { documentOf, watchdogTimerConfig } from "@talos-ts/machinery/config";
import { WatchdogTimerConfig } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

const defaultTimeoutMs = 60_000;

/** Publishes the watchdog that the configuration asks for: `WatchdogTimerConfig`. */
export function watchdogTimerConfigController(): Controller {
  return reduceController({
    name: "runtime.WatchdogTimerConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(WatchdogTimerConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      const { device, timeout } = (config === undefined ? undefined : documentOf(config, watchdogTimerConfig)) ?? {};
      if (device === undefined) return [];
      const timeoutMs = timeout === undefined ? defaultTimeoutMs : goDurationMs(timeout);
      const spec = WatchdogTimerConfig.spec({ device, timeoutMs });
      return [createResource(WatchdogTimerConfig, WatchdogTimerConfig.id, spec)];
    },
  });
}
