import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { runHealthCheck, type HealthSettings } from "./health.ts";

/** Runs the check of a service that is well from some time on, and keeps when it was asked and what was reported. */
async function watchStart(wellFromMs: number, forMs: number, settings: Partial<HealthSettings> = {}) {
  const clock = createManualClock();
  const asked: number[] = [];
  const reports: { readonly atMs: number; readonly healthy: boolean }[] = [];
  const over = new AbortController();
  const check = async (): Promise<void> => {
    asked.push(clock.monotonic());
    if (clock.monotonic() < wellFromMs) throw new Error("dial failed");
  };
  const report = (healthy: boolean): void => void reports.push({ atMs: clock.monotonic(), healthy });
  const running = runHealthCheck({ settings, check }, report, clock, over.signal);
  await clock.advance(forMs);
  over.abort();
  await running;
  return { asked, reports };
}

describe("runHealthCheck()", () => {
  it("sees that a service is well at most a tenth of its start later, or 100 ms", async () => {
    for (const wellFromMs of [0, 150, 999, 1001, 2500, 4200, 9900]) {
      const { reports } = await watchStart(wellFromMs, 12_000);
      const late = (reports.find(({ healthy }) => healthy)?.atMs ?? Number.NaN) - wellFromMs;
      assert.ok(
        late <= Math.max(100, wellFromMs / 10),
        `well from ${String(wellFromMs)} ms on: seen ${String(late)} ms later`,
      );
    }
  });

  it("asks a service that never gets well once a second in the end", async () => {
    const { asked } = await watchStart(Number.POSITIVE_INFINITY, 60_000);
    const gaps = asked.map((at, index) => at - (asked[index - 1] ?? 0));
    assert.equal(gaps[0], 100);
    assert.equal(Math.max(...gaps), 1000);
    assert.equal(gaps.at(-1), 1000);
  });

  it("reports no failure before the initial delay is over", async () => {
    const { reports } = await watchStart(8000, 9000, { initialDelayMs: 5000 });
    assert.ok(reports.length > 0);
    assert.ok(reports.every(({ atMs, healthy }) => healthy || atMs >= 5000));
  });

  it("asks a service that was well in its period, whatever it answers", async () => {
    const { asked } = await watchStart(0, 31_000, { periodMs: 10_000 });
    assert.deepEqual(asked, [100, 10_100, 20_100, 30_100]);
  });
});
