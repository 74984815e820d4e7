import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { criImageGCController } from "./cri-image-gc.ts";

describe("criImageGCController()", () => {
  it("asks its containerd for images once that is well, and not before", async () => {
    await using directory = await temporaryDirectory();
    const register = [criImageGCController({ clock: systemClock, root: directory.path })];
    await using test = controllerTest({ register });
    const service = (healthy: boolean) => Service.spec({ running: true, healthy, unknown: !healthy });
    const starting = createResource(Service, "cri", service(false));
    await test.create(starting);
    await test.settled();
    await test.assertStatus("cri.criImageGCController", ({ failures }) => assert.equal(failures, 0));
    await test.remove(starting);
    await test.create(createResource(Service, "cri", service(true)));
    // There is no containerd below this root, so asking for it is a failure that names its socket.
    const socket = `unix://${directory.path}/run/containerd/containerd.sock`;
    await test.assertStatus("cri.criImageGCController", ({ lastError }) => {
      const message = lastError?.error.message ?? "";
      assert.ok(message.includes(socket), message);
    });
  });
});
