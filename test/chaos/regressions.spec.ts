import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { faults } from "./faults/index.ts";
import { keepRegression, loadRegressions, replay } from "./regressions.ts";
import { planFaults } from "./schedule.ts";

describe("keepRegression()", () => {
  it("keeps the fault that broke something and those before it, to be replayed on the same nodes", async () => {
    await using folder = await temporaryDirectory();
    const planned = planFaults({ seed: 4, count: 9, faults });
    await keepRegression({ seed: 4, only: [], planned, index: 6, violations: ["x is lost", "y"] }, folder.path);
    const [[name, kept] = ["", undefined]] = await loadRegressions(folder.path);
    assert.equal(name, "seed-4-7");
    assert.ok(kept !== undefined);
    assert.deepEqual([kept.found, kept.seed, kept.faults], ["x is lost; y", 4, 7]);
    assert.deepEqual(replay(kept, faults), planned.slice(4, 7));
  });
  it("keeps the first fault alone", async () => {
    await using folder = await temporaryDirectory();
    const planned = planFaults({ seed: 4, count: 2, faults });
    await keepRegression({ seed: 4, only: [], planned, index: 0, violations: ["x"] }, folder.path);
    const [kept] = (await loadRegressions(folder.path)).values();
    assert.deepEqual(kept && replay(kept, faults), planned.slice(0, 1));
  });
});

describe("regressions", () => {
  it("are schedules of faults that exist", async () => {
    for (const regression of (await loadRegressions()).values()) {
      assert.equal(replay(regression, faults).length, regression.steps.length);
    }
  });
});
