import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import type { ListedLearner } from "../../etcd/learners-of-leader.ts";
import { etcdLearnerEvictionController } from "./learner-eviction.ts";

const minutes = (count: number): number => count * 60_000;

describe("etcdLearnerEvictionController()", () => {
  it("C-24: removes a learner after the deadline, and leaves one alone that was promoted before it", async () => {
    const clock = createManualClock();
    let learners: readonly ListedLearner[] = [{ id: 7n, name: "cp-2" }];
    const removed: bigint[] = [];
    const remove = async (id: bigint): Promise<void> => void removed.push(id);
    await using test = controllerTest({
      clock,
      register: [etcdLearnerEvictionController({ root: "", clock }, { list: async () => learners, remove })],
    });
    await test.create(createResource(Service, "etcd", Service.spec({ running: true, healthy: true })));
    await test.settled();
    await clock.advance(minutes(10));
    await test.settled();
    learners = [{ id: 8n, name: "" }];
    await clock.advance(minutes(10));
    await test.settled();
    assert.deepEqual(removed, []);
    await clock.advance(minutes(6));
    await test.settled();
    assert.deepEqual(removed.slice(0, 1), [8n]);
    assert.ok(test.logs.some(({ message }) => message === "removed an etcd learner that was not promoted in time"));
  });
});
