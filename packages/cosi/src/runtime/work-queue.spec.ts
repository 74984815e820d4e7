import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createWorkQueue } from "./work-queue.ts";

describe("createWorkQueue()", () => {
  it("hands out each key once, in order", () => {
    const queue = createWorkQueue<number>();
    queue.put("a", 1);
    queue.put("b", 2);
    queue.put("a", 3);
    assert.deepEqual(
      [queue.take(0), queue.take(0), queue.take(0)],
      [{ key: "a", value: 3 }, { key: "b", value: 2 }, undefined],
    );
  });
  it("holds back a key that is worked on, and brings it afterwards", () => {
    const queue = createWorkQueue<number>();
    queue.put("a", 1);
    queue.take(0);
    queue.put("a", 2);
    assert.equal(queue.take(0), undefined);
    queue.release("a", 1, 1000);
    assert.deepEqual(queue.take(0), { key: "a", value: 2 });
    assert.deepEqual([queue.ready, queue.running, queue.delayed], [0, 1, 0]);
  });
  it("brings delayed keys when they are due, earliest first", () => {
    const queue = createWorkQueue<number>();
    const times = [50, 10, 40, 20, 30];
    for (const at of times) queue.put(`k${at}`, at);
    for (const _ of times) {
      const item = queue.take(0);
      assert.ok(item);
      queue.release(item.key, item.value, item.value);
    }
    assert.equal(queue.nextDue(), 10);
    assert.equal(queue.take(9), undefined);
    const taken: number[] = [];
    for (let item = queue.take(45); item !== undefined; item = queue.take(45)) taken.push(item.value);
    assert.deepEqual(taken, [10, 20, 30, 40]);
    assert.equal(queue.nextDue(), 50);
  });
  it("brings a delayed key at once when it is put", () => {
    const queue = createWorkQueue<number>();
    queue.put("a", 1);
    queue.take(0);
    queue.release("a", 1, 1000);
    queue.put("a", 2);
    assert.equal(queue.nextDue(), undefined);
    assert.deepEqual(queue.take(0), { key: "a", value: 2 });
  });
});
