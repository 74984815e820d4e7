import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, createQueue } from "@talos-ts/base";
import { createInMemoryState, createResource, wrapCore } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcdLearner, PKIStatus } from "@talos-ts/machinery/resources/etcd";
import type { QueuedLearner } from "../../etcd/learner-queue.ts";
import { etcdLearnerController } from "./learner.ts";

const since = "2026-01-01T00:00:00.000Z";

describe("etcdLearnerController()", () => {
  it("C-24: shows who joins and who waits, and nobody once all vote", async () => {
    const changes = createQueue<readonly QueuedLearner[]>();
    const machine = { root: "", state: wrapCore(createInMemoryState()), clock: createManualClock() };
    await using test = controllerTest({ register: [etcdLearnerController(machine, { follow: () => changes })] });
    changes.push([
      { name: "cp-2", state: "learner", since },
      { name: "cp-3", state: "waiting", since },
    ]);
    await test.settled();
    await test.assertNoResource(EtcdLearner, "cp-2");
    await test.create(createResource(PKIStatus, "etcd", PKIStatus.spec({ ready: true, version: "1" })));
    await test.assertSpec(EtcdLearner, "cp-2", { position: 1, state: "learner", since });
    await test.assertSpec(EtcdLearner, "cp-3", { position: 2, state: "waiting", since });
    changes.push([{ name: "cp-3", state: "learner", since }]);
    await test.assertSpec(EtcdLearner, "cp-3", { position: 1, state: "learner", since });
    await test.assertNoResource(EtcdLearner, "cp-2");
    changes.push([]);
    await test.assertNoResource(EtcdLearner, "cp-3");
    assert.equal(changes.size, 0);
  });
});
