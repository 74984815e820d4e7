import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import type { DatabaseSize } from "../../etcd/defragment-local.ts";
import { mutexNames, type MutexName } from "../../etcd/mutex.ts";
import { activeResource, testConfig } from "../internal/testing.ts";
import { etcdDefragmentController, needsDefragmentation } from "./defragment.ts";

const mebi = 1024 ** 2;

async function setUp(...documents: readonly string[]) {
  const clock = createManualClock();
  let size: DatabaseSize = { total: 200 * mebi, inUse: 20 * mebi, quota: 2048 * mebi };
  const locks: MutexName[] = [];
  let runs = 0;
  const test = controllerTest({
    clock,
    register: [
      etcdDefragmentController(
        { root: "", clock },
        {
          size: async () => size,
          defragment: async () => {
            runs += 1;
            size = { ...size, total: size.inUse };
          },
          withMutex: async (name, signal, work) => {
            locks.push(name);
            return work(signal);
          },
        },
      ),
    ],
  });
  await test.create(
    activeResource(await testConfig("controlplane"), ...documents),
    createResource(Service, "etcd", Service.spec({ running: true, healthy: true })),
  );
  await test.settled();
  return { test, locks, clock, runs: () => runs, grow: () => void (size = { ...size, total: 200 * mebi }) };
}

describe("etcdDefragmentController()", () => {
  it("defragments under the lock of the cluster, and again when the file has grown", async () => {
    const { test, locks, clock, runs, grow } = await setUp();
    await using _test = test;
    assert.equal(runs(), 1);
    assert.deepEqual(locks, [mutexNames.etcdDefragment]);
    await clock.advance(10 * 60_000);
    await test.settled();
    assert.equal(runs(), 1);
    grow();
    await clock.advance(10 * 60_000);
    await test.settled();
    assert.equal(runs(), 2);
  });

  it("is off by configuration", async () => {
    const off = "apiVersion: v1alpha1\nkind: EtcdDefragmentationConfig\nenabled: false\n";
    const { test, runs } = await setUp(off);
    await using _test = test;
    assert.equal(runs(), 0);
  });
});

describe("needsDefragmentation()", () => {
  const cases: readonly (readonly [title: string, size: DatabaseSize, expected: boolean])[] = [
    ["half of a large file is unused", { total: 100 * mebi, inUse: 50 * mebi, quota: 2048 * mebi }, true],
    ["less is unused", { total: 100 * mebi, inUse: 60 * mebi, quota: 2048 * mebi }, false],
    ["the file is small", { total: 10 * mebi, inUse: mebi, quota: 2048 * mebi }, false],
    ["a tenth is unused near the quota", { total: 1700 * mebi, inUse: 1500 * mebi, quota: 2048 * mebi }, true],
    ["all is in use near the quota", { total: 1700 * mebi, inUse: 1690 * mebi, quota: 2048 * mebi }, false],
  ];
  for (const [title, size, expected] of cases) {
    it(`says ${String(expected)} when ${title}`, () => assert.equal(needsDefragmentation(size, 0.5), expected));
  }
});
