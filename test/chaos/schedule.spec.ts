import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faults } from "./faults/index.ts";
import { planFaults } from "./schedule.ts";

describe("planFaults", () => {
  const namesOf = (seed: number, count: number): string[] =>
    planFaults({ seed, count, faults }).map(({ fault, target }) => `${fault.name} ${String(target)}`);

  it("gives the same schedule for the same seed, and another for another", () => {
    assert.deepEqual(namesOf(7, 40), namesOf(7, 40));
    assert.notDeepEqual(namesOf(7, 40), namesOf(8, 40));
  });

  it("has every kind once in each round", () => {
    const planned = planFaults({ seed: 3, count: 2 * faults.length, faults });
    for (const round of [planned.slice(0, faults.length), planned.slice(faults.length)]) {
      assert.deepEqual(new Set(round.map(({ fault }) => fault)), new Set(faults));
    }
  });

  it("is empty when there is nothing to choose from", () => {
    assert.deepEqual(planFaults({ seed: 1, count: 5, faults: [] }), []);
  });
});

describe("faults", () => {
  it("have names of their own", () => {
    assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length);
  });
});
