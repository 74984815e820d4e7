import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KernelParamSpec } from "@talos-ts/machinery/resources/runtime";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { kernelParamConfigController } from "./kernel-param-config.ts";

describe("kernelParamConfigController()", () => {
  it("publishes sysctls and sysfs of the configuration under the names of their files", async () => {
    await using test = controllerTest({ register: [kernelParamConfigController()] });
    const lines = ["sysctls: {vm.swappiness: '10'}", "sysfs: {kernel.mm.ksm.run: '1'}"];
    const config = activeResource(mainDocument(...lines));
    await test.create(config);
    await test.assertSpec(KernelParamSpec, "proc.sys.vm.swappiness", { value: "10", ignoreErrors: false });
    await test.assertSpec(KernelParamSpec, "sys.kernel.mm.ksm.run", { value: "1", ignoreErrors: false });
    await test.remove(config);
    await test.assertNoResource(KernelParamSpec, "proc.sys.vm.swappiness");
  });
});
