import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { KernelParamDefaultSpec, KernelParamSpec, KernelParamStatus } from "@talos-ts/machinery/resources/runtime";
import { activeResource, testConfig, testMachine } from "../internal/testing.ts";
import { kernelParamConfigController } from "./kernel-param-config.ts";
import { kernelParamDefaultsController } from "./kernel-param-defaults.ts";
import { kernelParamSpecController } from "./kernel-param-spec.ts";

describe("kernel parameters", () => {
  it("are set by default, otherwise as the configuration says, and put back", async () => {
    const linux = createMemoryLinux();
    const { tree } = linux.textFiles;
    tree.set("/proc/sys/net/ipv4/ip_forward", "0\n");
    tree.set("/proc/sys/vm/swappiness", "60\n");
    const register = [
      kernelParamDefaultsController(testMachine()),
      kernelParamConfigController(),
      kernelParamSpecController({ linux }),
    ];
    await using test = controllerTest({ register });
    const forward = "proc.sys.net.ipv4.ip_forward";
    await test.assertSpec(KernelParamStatus, forward, { current: "1", default: "0", unsupported: false });
    await test.assertResource(KernelParamStatus, "proc.sys.net.ipv6.conf.default.accept_ra", ({ spec }) =>
      assert.equal(spec.unsupported, true),
    );
    assert.equal(tree.get("/proc/sys/net/ipv4/ip_forward"), "1");
    await test.assertNoResource(KernelParamDefaultSpec, "proc.sys.kernel.panic");

    const sysctls = { "vm.swappiness": "10", "net.ipv4.ip_forward": "2" };
    const config = activeResource(await testConfig("worker", { sysctls }));
    await test.create(config);
    await test.assertSpec(KernelParamStatus, "proc.sys.vm.swappiness", {
      current: "10",
      default: "60",
      unsupported: false,
    });
    await test.assertSpec(KernelParamStatus, forward, { current: "2", default: "0", unsupported: false });
    await test.remove(config);
    await test.assertNoResource(KernelParamStatus, "proc.sys.vm.swappiness");
    await test.assertSpec(KernelParamStatus, forward, { current: "1", default: "0", unsupported: false });
    assert.equal(tree.get("/proc/sys/vm/swappiness"), "60");
  });

  it("that a person asked for and that do not exist are a failure, but hold up no others", async () => {
    const linux = createMemoryLinux();
    linux.textFiles.tree.set("/proc/sys/vm/swappiness", "60\n");
    await using test = controllerTest({
      register: [kernelParamConfigController(), kernelParamSpecController({ linux })],
    });
    await test.create(
      activeResource(await testConfig("worker", { sysctls: { "no.such": "1", "vm.swappiness": "1" } })),
    );
    await test.assertResource(KernelParamStatus, "proc.sys.vm.swappiness");
    await test.assertStatus("runtime.KernelParamSpecController", ({ lastError }) =>
      assert.match(lastError?.error.message ?? "", /\/proc\/sys\/no\/such/),
    );
    await test.assertResource(KernelParamSpec, "proc.sys.no.such");
  });
});
