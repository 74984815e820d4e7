import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource, type Resource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KernelModuleSpec, SettingProblem } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { kernelModuleSpecController } from "./kernel-module-spec.ts";

const module = (name: string, ...parameters: readonly string[]): Resource =>
  createResource(KernelModuleSpec, name, KernelModuleSpec.spec({ name, parameters }));

describe("runtime.KernelModuleSpecController", () => {
  it("loads modules once, and says what the kernel refuses", async () => {
    const calls: string[] = [];
    const { linux } = testMachine();
    const controller = kernelModuleSpecController({
      platform: { mode: "metal" },
      linux,
      async load({ name, parameters }) {
        calls.push([name, ...parameters].join(" "));
        if (name === "absent") throw new Error("Module absent not found");
      },
    });
    await using test = controllerTest({ register: [controller] });
    await test.create(module("e1000", "a=1", "b=2"));
    await test.create(module("absent"));
    await test.assertSpec(SettingProblem, "module/absent", {
      setting: "kernel module absent",
      reason: "Module absent not found",
    });
    await test.update(KernelModuleSpec, "e1000", () => KernelModuleSpec.spec({ name: "e1000", parameters: ["a=3"] }));
    await test.assertSpec(SettingProblem, "module/e1000", {
      setting: "kernel module e1000",
      reason: "it was loaded with other parameters (a=1 b=2): reboot",
    });
    assert.equal(calls.filter((call) => call.startsWith("e1000")).length, 1);
  });

  it("asks the kernel of the host in a container", async () => {
    const machine = testMachine();
    machine.linux.textFiles.tree.set("/sys/module/br_netfilter/refcnt", "0\n");
    const load = async (): Promise<void> => assert.fail("a container loads nothing");
    await using test = controllerTest({ register: [kernelModuleSpecController({ ...machine, load })] });
    await test.create(module("br-netfilter"), module("btrfs"));
    await test.assertSpec(SettingProblem, "module/btrfs", {
      setting: "kernel module btrfs",
      reason: "a container cannot load modules: load it on the host",
    });
    await test.assertNoResource(SettingProblem, "module/br-netfilter");
  });
});
