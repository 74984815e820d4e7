import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeAddress } from "@talos-ts/machinery/resources/network";
import { Diagnostic, KernelParamSpec, KernelParamStatus, SettingProblem } from "@talos-ts/machinery/resources/runtime";
import { activeResource, testConfig } from "../internal/testing.ts";
import { diagnosticsController } from "./diagnostics.ts";

describe("diagnosticsController()", () => {
  it("D21: shows addresses that overlap with Kubernetes once they did for half a minute, until they do not", async () => {
    const clock = createManualClock();
    await using test = controllerTest({ clock, register: [diagnosticsController({ clock, root: "" })] });
    await test.create(
      activeResource(await testConfig("worker")),
      createResource(NodeAddress, "routed", NodeAddress.spec({ addresses: ["10.96.1.2/24"] })),
      createResource(NodeAddress, "routed-no-k8s", NodeAddress.spec({})),
    );
    await test.settled();
    await clock.advance(29_000);
    await test.settled();
    await test.assertNoResource(Diagnostic, "address-overlap");
    await clock.advance(1000);
    await test.assertSpec(Diagnostic, "address-overlap", {
      message: "host and Kubernetes pod/service CIDR addresses overlap",
      details: [
        'host routed addresses: ["10.96.1.2/24"]',
        'Kubernetes pod CIDRs: ["10.244.0.0/16"]',
        'Kubernetes service CIDRs: ["10.96.0.0/12"]',
      ],
    });
    await test.update(NodeAddress, "routed-no-k8s", () => NodeAddress.spec({ addresses: ["10.5.0.2/24"] }));
    await test.assertNoResource(Diagnostic, "address-overlap");
  });

  it("shows settings that the machine cannot apply", async () => {
    const clock = createManualClock();
    await using test = controllerTest({ clock, register: [diagnosticsController({ clock, root: "" })] });
    const unsupported = KernelParamStatus.spec({ unsupported: true });
    await test.create(
      createResource(SettingProblem, "watchdog", { setting: "watchdog /dev/watchdog0", reason: "no such device" }),
      createResource(KernelParamSpec, "sys.module.zswap.parameters.enabled", KernelParamSpec.spec({ value: "Y" })),
      createResource(KernelParamStatus, "sys.module.zswap.parameters.enabled", unsupported),
      // A default of the system: nobody asked for it.
      createResource(KernelParamStatus, "proc.sys.net.ipv6.x", unsupported),
    );
    await test.settled();
    await clock.advance(30_000);
    await test.assertSpec(Diagnostic, "settings-not-applied", {
      message: "parts of the configuration cannot be applied on this machine",
      details: [
        "watchdog /dev/watchdog0: no such device",
        "kernel parameter sys.module.zswap.parameters.enabled: the kernel does not have it",
      ],
    });
  });
});
