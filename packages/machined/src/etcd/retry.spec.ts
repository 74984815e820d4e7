import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, type ManualClock } from "@talos-ts/base";
import { retryUntilDone } from "./retry.ts";

function start() {
  const clock = createManualClock();
  const abort = new AbortController();
  const lines: string[] = [];
  const options = {
    clock,
    signal: abort.signal,
    timeoutMs: 10_000,
    intervalMs: 1000,
    log: (line: string) => void lines.push(line),
  };
  return { clock, abort, lines, options };
}

/** Lets what was just started reach its first sleep, then moves the clock. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  await clock.advance(ms);
}

describe("retryUntilDone()", () => {
  it("T-39: logs each failure once and returns the first success", async () => {
    const { clock, lines, options } = start();
    const outcomes = ["a", "a", "b", "done"];
    const result = retryUntilDone(options, async () => {
      const outcome = outcomes.shift();
      if (outcome !== "done") throw new Error(outcome);
      return outcome;
    });
    await pass(clock, 3000);
    assert.equal(await result, "done");
    assert.deepEqual(lines, ["retrying error: a", "retrying error: b"]);
    assert.equal(clock.sleeping, 0);
  });

  it("gives up in time with the last failure as the cause", async () => {
    const { clock, options } = start();
    const result = retryUntilDone(options, async () => {
      throw new Error("down");
    });
    result.catch(() => undefined);
    await pass(clock, 11_000);
    await assert.rejects(result, ({ cause }: Error) => cause instanceof Error && cause.message === "down");
  });

  it("aborts an attempt that takes too long, and everything when it is told to", async () => {
    const { clock, abort, options } = start();
    let attempts = 0;
    const result = retryUntilDone({ ...options, attemptTimeoutMs: 500 }, (signal) => {
      attempts += 1;
      return new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    });
    result.catch(() => undefined);
    await pass(clock, 1600);
    assert.equal(attempts, 2);
    abort.abort(new Error("stopped"));
    await assert.rejects(result, { message: "stopped" });
  });
});
