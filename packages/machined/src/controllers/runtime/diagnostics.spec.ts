import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MountStatus, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { NodeAddress } from "@talos-ts/machinery/resources/network";
import { Diagnostic, RuntimeMountStatus } from "@talos-ts/machinery/resources/runtime";
import { activeResource, testConfig } from "../internal/testing.ts";
import { diagnosticsLoggerController } from "./diagnostics-logger.ts";
import { diagnosticsController } from "./diagnostics.ts";
import { legacyMountStatusController } from "./legacy-mount-status.ts";

describe("diagnosticsController() and diagnosticsLoggerController()", () => {
  it("D21: show addresses that overlap with Kubernetes once they did for half a minute, and say when it is over", async () => {
    const clock = createManualClock();
    const register = [diagnosticsController({ clock }), diagnosticsLoggerController({ clock })];
    await using test = controllerTest({ clock, register });
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
    await test.settled();
    await clock.advance(300_000);
    await test.settled();
    await test.update(NodeAddress, "routed-no-k8s", () => NodeAddress.spec({ addresses: ["10.5.0.2/24"] }));
    await test.assertNoResource(Diagnostic, "address-overlap");
    await test.settled();
    const lines = test.logs.filter(({ level }) => level !== "debug").map(({ message }) => message);
    assert.deepEqual(lines, ["new diagnostic", "diagnostic still active", "diagnostic resolved"]);
  });
});

describe("legacyMountStatusController()", () => {
  it("shows mounted partitions, and no directories", async () => {
    await using test = controllerTest({ register: [legacyMountStatusController()] });
    const mount = (volumeID: string) =>
      createResource(
        MountStatus,
        volumeID,
        MountStatus.spec({ spec: { volumeID }, source: "/dev/sda5", target: "/system/state" }),
      );
    await test.create(
      createResource(VolumeStatus, "STATE", VolumeStatus.spec({ type: "partition", filesystem: "xfs" })),
      createResource(VolumeStatus, "EPHEMERAL", VolumeStatus.spec({ type: "directory" })),
      mount("STATE"),
      mount("EPHEMERAL"),
    );
    await test.assertResource(RuntimeMountStatus, "STATE", ({ spec }) =>
      assert.deepEqual(
        [spec.source, spec.target, spec.filesystemType, spec.encrypted],
        ["/dev/sda5", "/system/state", "xfs", false],
      ),
    );
    await test.assertNoResource(RuntimeMountStatus, "EPHEMERAL");
  });
});
