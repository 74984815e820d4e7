import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { LoadedKernelModule } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { loadedKernelModuleController } from "./loaded-kernel-module.ts";

const table = `overlay 151552 2 - Live 0x0000000000000000
bridge 311296 1 br_netfilter, Live 0xffffffffc0a00000 (E)
`;

describe("runtime.LoadedKernelModuleController", () => {
  it("publishes the modules of the kernel", async () => {
    const { linux } = testMachine();
    linux.textFiles.tree.set("/proc/modules", table);
    await using test = controllerTest({
      register: [loadedKernelModuleController({ linux, platform: { mode: "metal" } })],
    });
    await test.assertSpec(LoadedKernelModule, "overlay", {
      size: 151_552,
      referenceCount: 2,
      dependencies: [],
      state: "Live",
      address: "0x0000000000000000",
    });
    await test.assertSpec(LoadedKernelModule, "bridge", {
      size: 311_296,
      referenceCount: 1,
      dependencies: ["br_netfilter"],
      state: "Live",
      address: "0xffffffffc0a00000",
    });
  });

  it("publishes nothing in a container", async () => {
    const machine = testMachine();
    machine.linux.textFiles.tree.set("/proc/modules", table);
    await using test = controllerTest({ register: [loadedKernelModuleController(machine)] });
    await test.settled();
    await test.assertNoResource(LoadedKernelModule, "overlay");
  });
});
