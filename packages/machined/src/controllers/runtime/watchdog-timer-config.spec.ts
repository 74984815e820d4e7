import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { WatchdogTimerConfig } from "@talos-ts/machinery/resources/runtime";
import { activeResource } from "../internal/testing.ts";
import { watchdogTimerConfigController } from "./watchdog-timer-config.ts";

const document = (...lines: readonly string[]): string =>
  ["apiVersion: v1alpha1", "kind: WatchdogTimerConfig", "device: /dev/watchdog0", ...lines, ""].join("\n");

describe("runtime.WatchdogTimerConfigController", () => {
  it("publishes device and timeout, a minute by default", async () => {
    await using test = controllerTest({ register: [watchdogTimerConfigController()] });
    const config = activeResource(document());
    await test.create(config);
    await test.assertSpec(WatchdogTimerConfig, WatchdogTimerConfig.id, { device: "/dev/watchdog0", timeoutMs: 60_000 });
    await test.update(MachineConfig, MachineConfig.ids.active, () => document("timeout: 2m30s"));
    await test.assertSpec(WatchdogTimerConfig, WatchdogTimerConfig.id, {
      device: "/dev/watchdog0",
      timeoutMs: 150_000,
    });
    await test.remove(config);
    await test.assertNoResource(WatchdogTimerConfig, WatchdogTimerConfig.id);
  });
});
