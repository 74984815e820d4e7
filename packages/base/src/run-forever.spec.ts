import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, type ManualClock } from "./clock.ts";
import { runForever } from "./run-forever.ts";

describe("runForever()", () => {
  it("runs again after failures and early ends, later each time until a run works", async () => {
    const stop = new AbortController();
    const clock = createManualClock();
    const startedAt: number[] = [];
    const ends: string[] = [];
    const backoff = { initialMs: 100, factor: 2, jitter: 0 };
    const outcomes = ["fail", "end", "work", "fail"];
    const done = runForever(
      async (works) => {
        startedAt.push(clock.now());
        const outcome = outcomes[startedAt.length - 1];
        if (outcome === "fail") throw new Error("failed");
        if (outcome === "work") works();
        if (outcome === undefined) stop.abort();
      },
      {
        signal: stop.signal,
        clock,
        backoff,
        onEnd: (err, delayMs) => ends.push(`${String((err as Error | undefined)?.message)} ${delayMs}`),
      },
    );
    await sleeping(clock);
    await clock.advance(1000);
    await done;
    assert.deepEqual(startedAt, [0, 100, 300, 400, 600]);
    assert.deepEqual(ends, ["failed 100", "undefined 200", "undefined 100", "failed 200"]);
  });

  it("stops waiting when told to stop", async () => {
    const stop = new AbortController();
    const clock = createManualClock();
    const done = runForever(() => Promise.reject(new Error("failed")), { signal: stop.signal, clock });
    await sleeping(clock);
    stop.abort();
    await done;
    assert.equal(clock.sleeping, 0);
  });
});

async function sleeping(clock: ManualClock): Promise<void> {
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
}
