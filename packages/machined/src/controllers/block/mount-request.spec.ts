import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MountRequest, VolumeMountRequest, VolumeStatus } from "@talos-ts/machinery/resources/block";
import { mountRequestController } from "./mount-request.ts";

const request = (id: string, readOnly: boolean) =>
  createResource(VolumeMountRequest, id, VolumeMountRequest.spec({ volumeID: "ETCD", requester: id, readOnly }));

describe("mountRequestController()", () => {
  it("joins the requests for a ready volume, and withdraws the mount with the last of them", async () => {
    await using kit = controllerTest({ register: [mountRequestController()] });
    const [reader, writer] = [request("reader", true), request("writer", false)];
    await kit.create(reader);
    await kit.settled();
    await kit.assertNoResource(MountRequest, "ETCD");
    await kit.create(createResource(VolumeStatus, "ETCD", VolumeStatus.spec({ phase: "ready" })));
    const one = { volumeID: "ETCD", readOnly: true, requesters: ["reader"], requesterIDs: ["reader"] };
    await kit.assertSpec(MountRequest, "ETCD", MountRequest.spec(one));
    await kit.create(writer);
    const both = ["reader", "writer"];
    await kit.assertSpec(
      MountRequest,
      "ETCD",
      MountRequest.spec({ volumeID: "ETCD", readOnly: false, requesters: both, requesterIDs: both }),
    );
    await kit.remove(reader);
    await kit.remove(writer);
    await kit.assertNoResource(MountRequest, "ETCD");
  });
});
