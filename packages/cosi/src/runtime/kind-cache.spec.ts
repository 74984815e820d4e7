import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "@talos-ts/base/testing";
import { note, notes } from "../conformance/state-fixtures.ts";
import type { Resource } from "../resource.ts";
import type { Event } from "../state.ts";
import { createKindCache, type KindCache, type WriteOutcome } from "./kind-cache.ts";

const bookmark = new Uint8Array();
const bootstrapped: Event = { type: "bootstrapped", bookmark };

function at(id: string, version: number): Resource {
  const made = note(id, { count: version });
  return { ...made, metadata: { ...made.metadata, version } };
}

function shown(type: "created" | "updated" | "destroyed", resource: Resource): Event {
  return type === "updated" ? { type, resource, old: resource, bookmark } : { type, resource, bookmark };
}

function filled(...resources: readonly Resource[]): KindCache {
  const cache = createKindCache(notes);
  cache.apply([...resources.map((resource) => shown("created", resource)), bootstrapped]);
  return cache;
}

describe("createKindCache()", () => {
  it("lets readers wait for the contents, and only then", async () => {
    const cache = createKindCache(notes);
    const { filling } = cache;
    assert.deepEqual(cache.apply([shown("created", at("a", 1)), bootstrapped]), []);
    await filling;
    assert.equal(cache.filling, undefined);
  });
  it("lists in order of id, and hands out the same list while nothing changes", () => {
    const cache = filled(at("b", 1), at("a", 1));
    const list = cache.list();
    assert.deepEqual(
      list.map(({ metadata }) => metadata.id),
      ["a", "b"],
    );
    assert.equal(cache.list(), list);
    assert.equal(cache.list({ id: /^a/ }).length, 1);
  });
  it("finds what changed while the watch was interrupted", () => {
    const cache = filled(at("same", 1), at("changed", 1), at("gone", 1));
    cache.restart();
    const changes = cache.apply([
      shown("created", at("same", 1)),
      shown("created", at("changed", 3)),
      shown("created", at("new", 1)),
      bootstrapped,
    ]);
    assert.deepEqual(
      changes.map(({ resource, destroyed }) => `${resource.metadata.id}${destroyed ? " destroyed" : ""}`),
      ["changed", "new", "gone destroyed"],
    );
    assert.equal(cache.get("gone"), undefined);
  });
  it("agrees with the writer whatever the order of events and answers", () => {
    for (let seed = 1; seed <= 2000; seed += 1) simulate(seed);
  });
});

/**
 * A writer and a watch in random order. After each answer, the writer must read what it wrote; when all events have
 * come, everybody must read what is stored.
 */
function simulate(seed: number): void {
  const random = createRandom(seed);
  const cache = filled();
  const events: Event[] = [];
  const answers: (() => void)[] = [];
  let stored: Resource | undefined;

  const deliver = (): void => {
    const event = events.shift();
    if (event !== undefined) cache.apply([event]);
  };

  for (let step = 0; step < 30; step += 1) {
    const choice = random.below(4);
    if (choice === 0 && answers.length === 0) {
      const finish = cache.beginWrite("a");
      const outcome = mutate();
      const expected = stored;
      answers.push(() => {
        finish(outcome);
        if (expected === stored) assert.equal(cache.get("a"), stored, `seed ${seed}: own write not read back`);
      });
    } else if (choice === 1) answers.shift()?.();
    else deliver();
  }
  for (const answer of answers) answer();
  while (events.length > 0) deliver();
  assert.equal(cache.get("a"), stored, `seed ${seed}: stale for ever`);
  assert.equal(cache.list().length, stored === undefined ? 0 : 1);

  function mutate(): WriteOutcome {
    if (stored !== undefined && random.below(3) === 0) {
      events.push(shown("destroyed", stored));
      stored = undefined;
      return "destroyed";
    }
    const next = at("a", (stored?.metadata.version ?? 0) + 1);
    events.push(shown(stored === undefined ? "created" : "updated", next));
    stored = next;
    return next;
  }
}
