import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KernelModuleSpec } from "@talos-ts/machinery/resources/runtime";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { kernelModuleConfigController } from "./kernel-module-config.ts";

describe("runtime.KernelModuleConfigController", () => {
  it("publishes the modules of the configuration", async () => {
    await using test = controllerTest({ register: [kernelModuleConfigController()] });
    await test.create(
      activeResource(mainDocument("kernel: {modules: [{name: btrfs}, {name: e1000, parameters: [a=1]}]}")),
    );
    await test.assertSpec(KernelModuleSpec, "btrfs", { name: "btrfs", parameters: [] });
    await test.assertSpec(KernelModuleSpec, "e1000", { name: "e1000", parameters: ["a=1"] });
    await test.update(MachineConfig, MachineConfig.ids.active, () => mainDocument());
    await test.assertNoResource(KernelModuleSpec, "e1000");
  });
});
