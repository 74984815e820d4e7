import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { VolumeMountRequest, VolumeMountStatus } from "@talos-ts/machinery/resources/block";
import { mountEverythingAt } from "../controllers/internal/testing.ts";
import { acquireVolume, releaseVolume, type VolumeClaim } from "./volume-claim.ts";

const claim: VolumeClaim = { id: "test-STATE", volume: "STATE", requester: "test", finalizer: "test" };
const { signal } = new AbortController();

describe("acquireVolume()", () => {
  it("requests the volume once and holds the mount", async () => {
    await using kit = controllerTest({ register: [mountEverythingAt("/mnt")] });
    await acquireVolume(kit.state, claim, signal);
    await acquireVolume(kit.state, claim, signal);
    await kit.assertResource(VolumeMountRequest, claim.id, ({ spec }) =>
      assert.deepEqual([spec.volumeID, spec.requester], ["STATE", "test"]),
    );
    await kit.assertResource(VolumeMountStatus, claim.id, ({ metadata }) =>
      assert.ok(metadata.finalizers.includes("test")),
    );
  });
});

describe("releaseVolume()", () => {
  it("gives up a held volume, and one that was never mounted or never requested", async () => {
    await using kit = controllerTest({ register: [mountEverythingAt("/mnt")] });
    await acquireVolume(kit.state, claim, signal);
    await releaseVolume(kit.state, claim, signal);
    await kit.assertNoResource(VolumeMountStatus, claim.id);
    await kit.assertNoResource(VolumeMountRequest, claim.id);
    await releaseVolume(kit.state, claim, signal);
  });
});
