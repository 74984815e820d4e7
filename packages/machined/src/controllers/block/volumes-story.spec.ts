import assert from "node:assert/strict";
import { systemClock } from "@talos-ts/base";
import { lstat, mkdir, readlink, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createResource, pointerTo } from "@talos-ts/cosi";
import {
  MountRequest,
  MountStatus,
  VolumeConfig,
  VolumeLifecycle,
  VolumeMountRequest,
  VolumeMountStatus,
  VolumeStatus,
} from "@talos-ts/machinery/resources/block";
import { releaseVolumes, volumesCondition } from "../../conditions/volumes.ts";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { volumeControllers } from "./testing/volume-controllers.ts";

const request = (id: string, volumeID: string, readOnly = false) =>
  createResource(VolumeMountRequest, id, VolumeMountRequest.spec({ volumeID, requester: id, readOnly }));

const { signal } = new AbortController();

describe("mount protocol", () => {
  it("makes directories below their parents, with owner and mode, and answers every requester", async () => {
    await using kit = await volumeControllers();
    await kit.create(activeResource(mainDocument()));
    await kit.create(request("etcd", "ETCD"), request("lib", "/var/lib"));
    await kit.settled();
    await kit.assertNoResource(MountStatus, "ETCD");
    await kit.create(request("sequencer", "EPHEMERAL"), request("another", "ETCD", true));
    await kit.assertResource(VolumeMountStatus, "etcd", ({ spec }) => assert.equal(spec.target, "/var/lib/etcd"));
    await kit.assertResource(VolumeMountStatus, "another", ({ spec }) => assert.equal(spec.readOnly, false));
    const made = await stat(join(kit.root, "var/lib/etcd"));
    assert.equal(made.mode & 0o777, 0o700);
    assert.equal(made.uid, 60);
    await kit.assertResource(MountRequest, "ETCD", ({ spec }) =>
      assert.deepEqual(spec.requesters, ["another", "etcd"]),
    );
  });
  it("lets a mount go only when nobody holds it, children before parents", async () => {
    await using kit = await volumeControllers();
    await kit.create(activeResource(mainDocument()));
    const [parent, child] = [request("parent", "EPHEMERAL"), request("child", "/var/lib")];
    await kit.create(parent, child);
    const answer = pointerTo(VolumeMountStatus, "child");
    await kit.assertResource(VolumeMountStatus, "child");
    await kit.state.addFinalizer(answer, "me");
    await kit.remove(child);
    await kit.remove(parent);
    await kit.assertResource(VolumeMountStatus, "child", ({ metadata }) => assert.equal(metadata.phase, "tearingDown"));
    await kit.assertResource(MountStatus, "EPHEMERAL", ({ metadata }) => assert.equal(metadata.phase, "tearingDown"));
    await kit.state.removeFinalizer(answer, "me");
    for (const type of [VolumeMountStatus, MountStatus, MountRequest]) {
      await kit.assertNoResource(type, type === VolumeMountStatus ? "child" : "/var/lib");
    }
    await kit.assertNoResource(MountStatus, "EPHEMERAL");
  });
  it("links /var/run to /run, whatever was there", async () => {
    await using kit = await volumeControllers();
    await mkdir(join(kit.root, "var/run"));
    await writeFile(join(kit.root, "var/run/stale.pid"), "1");
    await kit.create(activeResource(mainDocument()), request("run", "/var/run"), request("lock", "/var/run/lock"));
    await kit.assertResource(VolumeMountStatus, "lock", ({ spec }) => assert.equal(spec.target, "/var/run/lock"));
    assert.ok((await lstat(join(kit.root, "var/run"))).isSymbolicLink());
    assert.equal(await readlink(join(kit.root, "var/run")), join(kit.root, "run"));
    assert.ok((await stat(join(kit.root, "run/lock"))).isDirectory());
  });
  it("closes all volumes when the lifecycle ends", async () => {
    await using kit = await volumeControllers();
    const lifecycle = createResource(VolumeLifecycle, VolumeLifecycle.id, VolumeLifecycle.spec());
    await kit.create(
      lifecycle,
      activeResource(mainDocument()),
      request("var", "EPHEMERAL"),
      request("lib", "/var/lib"),
    );
    await kit.assertResource(VolumeMountStatus, "lib");
    await kit.assertResource(VolumeLifecycle, "volumes", ({ metadata }) => assert.equal(metadata.finalizers.length, 1));
    await kit.remove(lifecycle);
    await kit.assertNoResource(VolumeStatus, "EPHEMERAL");
    await kit.assertNoResource(VolumeMountStatus, "lib");
  });
  it("reports a volume that this machine cannot make", async () => {
    await using kit = await volumeControllers();
    await kit.create(createResource(VolumeConfig, "u-data", VolumeConfig.spec({ type: "disk" })));
    await kit.assertResource(VolumeStatus, "u-data", ({ spec }) => {
      assert.equal(spec.phase, "failed");
      assert.match(spec.errorMessage, /Cannot create volume "u-data"/);
    });
  });
});

describe("volumesCondition()", () => {
  it("holds once all volumes are mounted and keeps them until they are released", async () => {
    await using kit = await volumeControllers();
    const volumes = ["/var/lib", "/var/lib/cni"];
    const condition = volumesCondition(kit.state, "cri", volumes);
    assert.equal(condition.describe(), "volumes /var/lib, /var/lib/cni to be mounted");
    const holds = condition.wait(signal);
    await kit.create(activeResource(mainDocument()), request("sequencer", "EPHEMERAL"));
    await holds;
    await kit.assertResource(VolumeMountStatus, "cri-/var/lib/cni", ({ metadata }) =>
      assert.deepEqual(metadata.finalizers, ["service-cri"]),
    );
    await volumesCondition(kit.state, "cri", volumes).wait(signal);
    await releaseVolumes({ state: kit.state, clock: systemClock }, "cri", volumes);
    await kit.assertNoResource(VolumeMountStatus, "cri-/var/lib");
    await kit.assertNoResource(MountStatus, "/var/lib/cni");
    await kit.assertResource(MountStatus, "EPHEMERAL");
  });

  it("holds again for a service that starts as soon as it has stopped", async () => {
    await using kit = await volumeControllers();
    await kit.create(activeResource(mainDocument()), request("sequencer", "EPHEMERAL"));
    const volumes = ["/var/lib", "/var/lib/kubelet", "/var/lib/kubelet/seccomp", "/var/lib/kubelet/seccomp/profiles"];
    const limit = AbortSignal.timeout(60_000);
    for (let start = 0; start < 60; start++) {
      await volumesCondition(kit.state, "kubelet", volumes).wait(limit);
      for (const volume of volumes) {
        const { metadata } = await kit.state.get(pointerTo(VolumeMountStatus, `kubelet-${volume}`));
        assert.equal(metadata.phase, "running", `${volume}, start ${String(start)}`);
      }
      await releaseVolumes({ state: kit.state, clock: systemClock }, "kubelet", volumes);
      // Controllers are somewhere else on their way to unmount at each start.
      for (let turn = 0; turn < start % 20; turn++) await nextTurn();
    }
  });
});
