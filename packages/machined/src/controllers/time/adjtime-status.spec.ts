import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AdjtimeStatus } from "@talos-ts/machinery/resources/time";
import { testMachine } from "../internal/testing.ts";
import { adjtimeStatusController } from "./adjtime-status.ts";

describe("adjtimeStatusController()", () => {
  it("publishes the state of the kernel's clock, and again every 30 seconds", async () => {
    const clock = createManualClock();
    const machine = testMachine({ platform: { mode: "metal" } });
    await using kit = controllerTest({ register: [adjtimeStatusController(machine)], clock });
    const first = {
      offsetMs: 0,
      frequencyAdjustmentRatio: 1,
      maxErrorMs: 0,
      estErrorMs: 0,
      status: "STA_UNSYNC",
      constant: 2,
      syncStatus: false,
      state: "TIME_OK",
    };
    await kit.assertSpec(AdjtimeStatus, "node", first);
    machine.linux.clock.adjust({ status: 0x2001, frequency: 65_536_000n, offsetNanoseconds: 1_500_000n });
    await kit.settled();
    await clock.advance(30_000);
    await kit.assertSpec(AdjtimeStatus, "node", {
      ...first,
      offsetMs: 1.5,
      frequencyAdjustmentRatio: 1.001,
      status: "STA_PLL | STA_NANO",
      syncStatus: true,
    });
  });

  it("publishes nothing in a container", async () => {
    await using kit = controllerTest({ register: [adjtimeStatusController(testMachine())] });
    await kit.settled();
    await kit.assertNoResource(AdjtimeStatus, "node");
  });
});
