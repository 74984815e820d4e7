import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KernelCmdline } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { kernelCmdlineController } from "./kernel-cmdline.ts";

describe("kernelCmdlineController()", () => {
  it("publishes the command line of a machine that has a kernel of its own", async () => {
    const machine = testMachine({ platform: { name: "metal", mode: "metal" } });
    await using kit = controllerTest({ register: [kernelCmdlineController(machine)] });
    const cmdline = await machine.linux.procfs.commandLine();
    await kit.assertResource(KernelCmdline, KernelCmdline.id, ({ spec }) => assert.equal(spec.cmdline, cmdline));
  });
  it("is silent in a container", async () => {
    await using kit = controllerTest({ register: [kernelCmdlineController(testMachine())] });
    await kit.settled();
    await kit.assertNoResource(KernelCmdline, KernelCmdline.id);
  });
});
