import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KernelParamDefaultSpec } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { kernelParamDefaultsController } from "./kernel-param-defaults.ts";

const forward = "proc.sys.net.ipv4.ip_forward";

describe("kernelParamDefaultsController()", () => {
  it("sets only parameters of the network in a container", async () => {
    await using test = controllerTest({ register: [kernelParamDefaultsController(testMachine())] });
    await test.assertSpec(KernelParamDefaultSpec, forward, { value: "1", ignoreErrors: true });
    await test.settled();
    await test.assertNoResource(KernelParamDefaultSpec, "proc.sys.kernel.panic");
  });
  it("sets those of the kernel too where the kernel is the machine's own", async () => {
    const machine = testMachine({ platform: { mode: "metal" } });
    await using test = controllerTest({ register: [kernelParamDefaultsController(machine)] });
    await test.assertSpec(KernelParamDefaultSpec, "proc.sys.kernel.panic", { value: "10", ignoreErrors: true });
    await test.assertResource(KernelParamDefaultSpec, forward);
  });
});
