import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { collectableImages } from "./collectable-images.ts";

describe("collectableImages()", () => {
  it("collects what was unused for the whole grace period, and starts over when it was used", () => {
    const present = ["etcd:1", "etcd:2"];
    const look = (used: readonly string[], before: ReadonlyMap<string, number>, now: number) =>
      collectableImages(present, new Set(used), before, now, 60);
    const first = look(["etcd:2"], new Map(), 100);
    assert.deepEqual([first.collect, [...first.since]], [[], [["etcd:1", 100]]]);
    assert.deepEqual(look(["etcd:2"], first.since, 159).collect, []);
    assert.deepEqual(look(["etcd:2"], first.since, 160).collect, ["etcd:1"]);
    const used = look(["etcd:1", "etcd:2"], first.since, 150);
    assert.deepEqual(look(["etcd:2"], used.since, 160).collect, []);
  });
});
