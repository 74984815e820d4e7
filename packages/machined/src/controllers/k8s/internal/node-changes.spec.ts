import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeObject } from "@talos-ts/kubernetes";
import { ownership, withWishes, type NodeWishes } from "./node-changes.ts";

const nothing: NodeWishes = { labels: {}, annotations: {}, taints: [], cordoned: false };
const node = (metadata: object = {}, spec: object = {}): NodeObject => ({ metadata: { name: "n", ...metadata }, spec });

describe("withWishes", () => {
  it("records what it sets and takes back only that", () => {
    const before = node({ labels: { own: "other", foreign: "kept" } });
    const set = withWishes(before, { ...nothing, labels: { own: "mine", fresh: "1" } });
    assert.deepEqual(set.metadata.labels, { own: "other", foreign: "kept", fresh: "1" });
    assert.equal(set.metadata.annotations?.[ownership.labels], '["fresh"]');

    const changed = withWishes(set, { ...nothing, labels: { fresh: "2" } });
    assert.equal(changed.metadata.labels?.["fresh"], "2");

    const gone = withWishes(changed, nothing);
    assert.deepEqual(gone.metadata.labels, { own: "other", foreign: "kept" });
    assert.deepEqual(gone.metadata.annotations, {});
  });

  it("returns the same object when nothing has to change", () => {
    const wishes = { ...nothing, labels: { a: "1" }, taints: [{ key: "t", value: "", effect: "NoSchedule" }] };
    const set = withWishes(node(), wishes);
    assert.equal(withWishes(set, wishes), set);
    assert.deepEqual(set.spec?.taints, [{ key: "t", effect: "NoSchedule" }]);
  });

  it("adds and removes taints beside those of others", () => {
    const others = [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }];
    const set = withWishes(node({}, { taints: others }), {
      ...nothing,
      taints: [{ key: "gpu", value: "yes", effect: "NoExecute" }],
    });
    assert.deepEqual(set.spec?.taints, [...others, { key: "gpu", value: "yes", effect: "NoExecute" }]);
    assert.deepEqual(withWishes(set, nothing).spec?.taints, others);
  });

  it("takes back a cordon of its own, and leaves one of a person", () => {
    const cordoned = withWishes(node(), { ...nothing, cordoned: true });
    assert.equal(cordoned.spec?.unschedulable, true);
    assert.equal(cordoned.metadata.annotations?.[ownership.cordoned], "true");
    assert.equal(withWishes(cordoned, nothing).spec?.unschedulable, undefined);

    const byPerson = node({}, { unschedulable: true });
    assert.equal(withWishes(byPerson, nothing), byPerson);
    assert.equal(withWishes(byPerson, { ...nothing, cordoned: true }), byPerson);
  });
});
