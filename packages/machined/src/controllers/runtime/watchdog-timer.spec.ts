import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource, type Resource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { SettingProblem, WatchdogTimerConfig, WatchdogTimerStatus } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { watchdogTimerController } from "./watchdog-timer.ts";

const config = (device: string, timeoutMs: number): Resource =>
  createResource(WatchdogTimerConfig, WatchdogTimerConfig.id, WatchdogTimerConfig.spec({ device, timeoutMs }));
const platform = { mode: "metal" } as const;

describe("runtime.WatchdogTimerController", () => {
  it("arms a watchdog, feeds it three times in its timeout, and disarms it", async () => {
    const { linux } = testMachine();
    const clock = createManualClock();
    const device = { maxSeconds: 120, armed: false, seconds: 0, fed: 0 };
    linux.watchdogs.devices.set("/dev/watchdog0", device);
    await using test = controllerTest({ register: [watchdogTimerController({ platform, linux, clock })] });
    const wanted = config("/dev/watchdog0", 60_000);
    await test.create(wanted);
    await test.assertSpec(WatchdogTimerStatus, WatchdogTimerStatus.id, {
      device: "/dev/watchdog0",
      timeoutMs: 60_000,
      feedIntervalMs: 20_000,
    });
    assert.deepEqual(device, { maxSeconds: 120, armed: true, seconds: 60, fed: 1 });
    await clock.advance(60_000);
    assert.equal(device.fed, 4);

    // The driver takes less: it is fed by what it took.
    await test.update(WatchdogTimerConfig, WatchdogTimerConfig.id, (spec) => ({ ...spec, timeoutMs: 300_000 }));
    await test.assertResource(WatchdogTimerStatus, WatchdogTimerStatus.id, ({ spec }) => {
      assert.deepEqual([spec.timeoutMs, spec.feedIntervalMs], [120_000, 40_000]);
    });
    await test.remove(wanted);
    await test.assertNoResource(WatchdogTimerStatus, WatchdogTimerStatus.id);
    await test.settled();
    assert.equal(device.armed, false);
    assert.equal(clock.sleeping, 0);
  });

  it("names a device that is not there", async () => {
    const { linux, clock } = testMachine();
    await using test = controllerTest({ register: [watchdogTimerController({ platform, linux, clock })] });
    await test.create(config("/dev/watchdog7", 60_000));
    await test.assertResource(SettingProblem, "watchdog", ({ spec }) => {
      assert.equal(spec.setting, "watchdog /dev/watchdog7");
      assert.match(spec.reason, /\/dev\/watchdog7/);
    });
  });

  it("leaves the watchdogs of the host alone in a container", async () => {
    const machine = testMachine();
    machine.linux.watchdogs.devices.set("/dev/watchdog0", { maxSeconds: 60, armed: false, seconds: 0, fed: 0 });
    await using test = controllerTest({ register: [watchdogTimerController(machine)] });
    await test.create(config("/dev/watchdog0", 60_000));
    await test.assertResource(SettingProblem, "watchdog", ({ spec }) => {
      assert.equal(spec.reason, "watchdogs belong to the host of a container");
    });
    assert.equal(machine.linux.watchdogs.devices.get("/dev/watchdog0")?.armed, false);
  });
});
