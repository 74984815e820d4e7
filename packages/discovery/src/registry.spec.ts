import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { limits } from "./limits.ts";
import { createRegistry, type Registry } from "./registry.ts";

const minute = 60_000;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const shown = (registry: Registry, cluster = "c"): readonly string[] =>
  registry.list(cluster).map(({ id, data, endpoints }) => {
    const text = (part: Uint8Array): string => Buffer.from(part).toString();
    return `${id}=${text(data)} ${endpoints.map(text).join("+")}`.trim();
  });
const update = (affiliateId: string, data: string | undefined, endpoints: readonly string[] = [], ttlMs = minute) => ({
  affiliateId,
  data: data === undefined ? undefined : bytes(data),
  endpoints: endpoints.map(bytes),
  ttlMs,
});

describe("createRegistry()", () => {
  it("replaces what an affiliate says, adds up endpoints, and keeps clusters apart", () => {
    const registry = createRegistry({ clock: createManualClock() });
    registry.update("c", update("a", "1", ["x"]));
    registry.update("c", update("a", "2", ["y", "x"]));
    registry.update("c", update("b", undefined, ["z"]));
    registry.update("d", update("a", "other"));
    assert.deepEqual(shown(registry), ["a=2 x+y", "b= z"]);
    assert.deepEqual(shown(registry, "d"), ["a=other"]);
    registry.delete("c", "a");
    registry.delete("c", "nobody");
    registry.delete("nowhere", "a");
    assert.deepEqual(shown(registry), ["b= z"]);
    assert.deepEqual([registry.clusters, registry.affiliates], [2, 2]);
  });

  it("T-30: forgets each thing when its time is over, and tells who watches", async () => {
    const clock = createManualClock();
    const registry = createRegistry({ clock });
    using watcher = registry.watch("c");
    registry.update("c", update("a", "1", ["short"], minute));
    registry.update("c", update("a", undefined, ["long"], 3 * minute));
    registry.update("c", update("b", "1", [], 2 * minute));
    assert.deepEqual(
      watcher.take().updated.map(({ id }) => id),
      ["a", "b"],
    );
    await clock.advance(minute);
    assert.deepEqual(shown(registry), ["a=1 long", "b=1"], "not shown, though not collected yet");
    assert.equal(registry.collect(), 0);
    const { updated, deleted } = watcher.take();
    assert.deepEqual([updated.map(({ id }) => id), deleted], [["a"], []], "an endpoint less is no affiliate less");
    await clock.advance(minute);
    assert.equal(registry.collect(), 1);
    assert.deepEqual(watcher.take(), { updated: [], deleted: ["b"] });
    await clock.advance(minute);
    assert.equal(registry.collect(), 1);
    assert.deepEqual([registry.affiliates, registry.clusters], [0, 1], "somebody still asks about it");
  });

  it("an affiliate that comes back after its time has nothing of before", async () => {
    const clock = createManualClock();
    const registry = createRegistry({ clock });
    registry.update("c", update("a", "old", ["x"]));
    await clock.advance(minute);
    registry.update("c", update("a", undefined, ["y"]));
    assert.deepEqual(shown(registry), ["a= y"]);
    assert.equal(registry.affiliates, 1);
  });

  it("tells of nothing when nothing changed, and of the last state when much did", () => {
    const registry = createRegistry({ clock: createManualClock() });
    registry.update("c", update("a", "1", ["x"]));
    using watcher = registry.watch("c");
    registry.update("c", update("a", "1", ["x"]));
    assert.deepEqual(watcher.take(), { updated: [], deleted: [] });
    for (const data of ["2", "3", "4"]) registry.update("c", update("a", data));
    registry.update("c", update("b", "1"));
    registry.delete("c", "b");
    const { updated, deleted } = watcher.take();
    assert.deepEqual([updated.map(({ data }) => Buffer.from(data).toString()), deleted], [["4"], ["b"]]);
  });

  it("has limits, and refuses as a whole", () => {
    const registry = createRegistry({ clock: createManualClock(), maxAffiliates: limits.affiliatesPerCluster + 1 });
    for (let index = 0; index < limits.affiliatesPerCluster; index += 1) {
      registry.update("c", update(String(index), "1"));
    }
    assert.throws(() => registry.update("c", update("one more", "1")), {
      kind: "resource-exhausted",
      message: "too many affiliates in the cluster",
    });
    registry.update("c", update("0", "still"));
    const many = Array.from({ length: limits.endpointsPerAffiliate + 1 }, (_, index) => String(index));
    assert.throws(() => registry.update("d", update("a", "1", many)), {
      message: "too many endpoints in the affiliate",
    });
    assert.deepEqual([shown(registry, "d"), registry.clusters], [[], 1], "nothing of it was taken");
    registry.update("d", update("a", "1", many.slice(1)));
    registry.update("d", update("a", "1", many.slice(1)));
    assert.throws(() => registry.update("d", update("a", "1", ["new"])), { code: "discovery/too-many-endpoints" });
    assert.throws(() => registry.update("e", update("a", "1")), { code: "discovery/full" });
    assert.equal(registry.clusters, 2);
  });
});
