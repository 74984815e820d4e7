import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MountRequest, MountStatus, VolumeMountStatus } from "@talos-ts/machinery/resources/block";
import { volumeMountStatusController } from "./volume-mount-status.ts";

const mount = (...ids: readonly string[]) =>
  MountStatus.spec({
    spec: MountRequest.spec({ volumeID: "ETCD", requesters: ids, requesterIDs: ids }),
    target: "/var/lib/etcd",
  });

describe("volumeMountStatusController()", () => {
  it("answers every requester of a mount, and withdraws answers that are no longer wanted", async () => {
    await using kit = controllerTest({ register: [volumeMountStatusController()] });
    const status = createResource(MountStatus, "ETCD", mount("a", "b"));
    await kit.create(status);
    for (const id of ["a", "b"]) {
      await kit.assertResource(VolumeMountStatus, id, ({ spec }) =>
        assert.deepEqual([spec.volumeID, spec.requester, spec.target], ["ETCD", id, "/var/lib/etcd"]),
      );
    }
    await kit.update(MountStatus, "ETCD", () => mount("b"));
    await kit.assertNoResource(VolumeMountStatus, "a");
    await kit.remove(status);
    await kit.assertNoResource(VolumeMountStatus, "b");
  });
});
