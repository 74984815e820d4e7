import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { DevicesStatus } from "@talos-ts/machinery/resources/runtime";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { testMachine } from "../internal/testing.ts";
import { devicesStatusController } from "./devices-status.ts";

describe("devicesStatusController()", () => {
  it("is ready at once in a container", async () => {
    await using test = controllerTest({ register: [devicesStatusController(testMachine())] });
    await test.assertSpec(DevicesStatus, "devices", { ready: true });
  });
  it("waits for udevd elsewhere", async () => {
    const machine = testMachine({ platform: { mode: "metal" } });
    await using test = controllerTest({ register: [devicesStatusController(machine)] });
    await test.settled();
    await test.assertNoResource(DevicesStatus, "devices");
    await test.create(createResource(Service, "udevd", Service.spec({ running: true, healthy: true })));
    await test.assertSpec(DevicesStatus, "devices", { ready: true });
  });
});
