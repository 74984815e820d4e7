import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  DiscoveredVolume,
  DiscoveryRefreshRequest,
  DiscoveryRefreshStatus,
  VolumeConfig,
  VolumeLifecycle,
  VolumeStatus,
} from "@talos-ts/machinery/resources/block";
import { DevicesStatus } from "@talos-ts/machinery/resources/runtime";
import { createLogger } from "../../logs/logger.ts";
import { testMachine } from "../internal/testing.ts";
import type { Format } from "./internal/make-file-system.ts";
import type { VolumeTools } from "./internal/open-partition.ts";
import { volumeManagerController } from "./volume-manager.ts";

const lifecycle = () => createResource(VolumeLifecycle, VolumeLifecycle.id, VolumeLifecycle.spec());
const volume = (id: string, type: "directory" | "disk") =>
  createResource(VolumeConfig, id, VolumeConfig.spec({ type }), { labels: { "talos.dev/system-volume": "" } });

const manager = (tools: Partial<VolumeTools> = {}, mode: "metal" | "container" = "metal") =>
  volumeManagerController({ ...testMachine({ platform: { mode } }), logger: createLogger([]) }, tools);

describe("volumeManagerController()", () => {
  it("makes directories ready at once, with the labels of their configuration", async () => {
    await using kit = controllerTest({ register: [manager()] });
    const state = volume("STATE", "directory");
    await kit.create(state);
    await kit.assertResource(VolumeStatus, "STATE", ({ metadata, spec }) => {
      assert.equal(spec.phase, "ready");
      assert.deepEqual(metadata.labels, { "talos.dev/system-volume": "" });
    });
    await kit.remove(state);
    await kit.assertNoResource(VolumeStatus, "STATE");
  });
  it("waits for the devices, then finds a partition by its label and formats an empty one once", async () => {
    const formatted: unknown[] = [];
    const format: Format = async (request) => void formatted.push(request);
    await using kit = controllerTest({ register: [manager({ format })] });
    const provisioning = {
      partitionSpec: { label: "STATE" },
      filesystemSpec: { type: "xfs", label: "STATE" },
    } as const;
    const phase = (wanted: string) =>
      kit.assertResource(VolumeStatus, "STATE", ({ spec }) => assert.equal(spec.phase, wanted));
    await kit.create(createResource(VolumeConfig, "STATE", VolumeConfig.spec({ type: "partition", provisioning })));
    await phase("waiting");
    await kit.create(createResource(DevicesStatus, DevicesStatus.id, DevicesStatus.spec({ ready: true })));
    await kit.assertResource(DiscoveryRefreshRequest, "refresh", ({ spec }) => assert.equal(spec.request, 1));
    await phase("waiting");
    await kit.create(createResource(DiscoveryRefreshStatus, "refresh", DiscoveryRefreshStatus.spec({ request: 1 })));
    await phase("missing");
    const found = { type: "partition", devPath: "/dev/vda2", partitionLabel: "STATE", size: 1000 } as const;
    await kit.create(createResource(DiscoveredVolume, "vda2", DiscoveredVolume.spec(found)));
    await phase("provisioned");
    await kit.assertResource(DiscoveryRefreshRequest, "refresh", ({ spec }) => assert.equal(spec.request, 2));
    await kit.update(DiscoveredVolume, "vda2", () => DiscoveredVolume.spec({ ...found, name: "xfs" }));
    await kit.assertResource(VolumeStatus, "STATE", ({ spec }) => {
      assert.deepEqual([spec.phase, spec.location, spec.filesystem], ["ready", "/dev/vda2", "xfs"]);
    });
    assert.deepEqual(formatted, [{ device: "/dev/vda2", filesystem: "xfs", label: "STATE", sizeBytes: 1000 }]);
  });
  it("does not touch a partition with other content", async () => {
    const format = () => assert.fail("formatted it");
    await using kit = controllerTest({ register: [manager({ format })] });
    const provisioning = { partitionSpec: { label: "STATE" }, filesystemSpec: { type: "xfs" } } as const;
    await kit.create(createResource(VolumeConfig, "STATE", VolumeConfig.spec({ type: "partition", provisioning })));
    const spec = DiscoveredVolume.spec({ type: "partition", partitionLabel: "STATE", name: "ext4" });
    await kit.create(createResource(DiscoveredVolume, "vda2", spec));
    await kit.assertResource(VolumeStatus, "STATE", ({ spec: { phase, errorMessage } }) =>
      assert.deepEqual([phase, errorMessage], ["failed", "filesystem type mismatch: ext4 != xfs"]),
    );
  });
  it("fails a volume on a disk in a container, whose disks are the host's", async () => {
    await using kit = controllerTest({ register: [manager({}, "container")] });
    await kit.create(volume("data", "disk"));
    await kit.assertResource(VolumeStatus, "data", ({ spec }) => assert.equal(spec.phase, "failed"));
  });
  it("closes all volumes when the lifecycle ends", async () => {
    await using kit = controllerTest({ register: [manager()] });
    const end = lifecycle();
    await kit.create(end, volume("STATE", "directory"));
    await kit.assertResource(VolumeStatus, "STATE");
    await kit.assertResource(VolumeLifecycle, "volumes", ({ metadata }) =>
      assert.deepEqual(metadata.finalizers, ["block.VolumeManagerController"]),
    );
    await kit.remove(end);
    await kit.assertNoResource(VolumeStatus, "STATE");
  });
});
