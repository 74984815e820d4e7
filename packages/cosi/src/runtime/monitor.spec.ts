import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, type Clock } from "@talos-ts/base";
import { createMonitor, type Monitor } from "./monitor.ts";

/** A monitor of a controller that has a minute for a reconcile. */
function monitorOf(clock: Clock): Monitor {
  return createMonitor({ name: "a", model: "controller", clock, deadlineMs: 60_000, changed: () => undefined });
}

describe("createMonitor()", () => {
  it("measures by the clock that is never set, and tells times by the other", async () => {
    const manual = createManualClock(1_000_000);
    let shiftMs = 0;
    const clock: Clock = { ...manual, now: () => manual.now() + shiftMs };
    const monitor = monitorOf(clock);
    for (const jumpMs of [600_000, -600_000]) {
      shiftMs = 0;
      monitor.began(undefined);
      shiftMs = jumpMs;
      await manual.advance(1500);
      assert.equal(monitor.snapshot().overdue, false);
      monitor.ended();
      assert.equal(monitor.snapshot().lastReconcile?.durationMs, 1500);
      monitor.waiting();
      assert.equal(monitor.snapshot().since, manual.now() + jumpMs);
    }
  });
  it("tells of a reconcile that takes longer than its deadline", async () => {
    const clock = createManualClock();
    const monitor = monitorOf(clock);
    monitor.began(undefined);
    await clock.advance(60_000);
    assert.equal(monitor.snapshot().overdue, false);
    await clock.advance(1);
    assert.equal(monitor.snapshot().overdue, true);
  });
});
