import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateSeconds, formatEstimate, remainingSeconds } from "./estimate.ts";

test("estimateSeconds shares the work among cores", () => {
  assert.equal(estimateSeconds([{ cpuSeconds: 100 }, { cpuSeconds: 20 }], 2), 60);
  assert.equal(estimateSeconds([], 8), 0);
});

test("remainingSeconds begins with the estimate and ends with nothing", () => {
  assert.equal(remainingSeconds(100, 0, 0), 100);
  assert.equal(remainingSeconds(100, 500, 1), 0);
  // Twice as slow as estimated, half done.
  assert.equal(remainingSeconds(100, 100, 0.5), 100);
  // Hardly anything measured yet: between the estimate and what was measured.
  assert.ok(remainingSeconds(100, 50, 0.1) > 90 && remainingSeconds(100, 50, 0.1) < 450);
});

test("formatDuration speaks of seconds, then of minutes", () => {
  assert.equal(formatEstimate(0), "1 s");
  assert.equal(formatEstimate(45.4), "45 s");
  assert.equal(formatEstimate(200), "3 min");
});
