import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { activeResource, testConfig } from "../internal/testing.ts";
import { machineTypeController } from "./machine-type.ts";

describe("machineTypeController()", () => {
  it("knows no type before there is a configuration, and then that of the configuration", async () => {
    await using test = controllerTest({ register: [machineTypeController()] });
    await test.assertSpec(MachineType, MachineType.id, "unknown");
    const resource = activeResource(await testConfig("controlplane"));
    await test.create(resource);
    await test.assertSpec(MachineType, MachineType.id, "controlplane");
    await test.remove(resource);
    await test.assertSpec(MachineType, MachineType.id, "unknown");
  });
});
