import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "./clock.ts";
import { timeLimit } from "./time-limit.ts";

const never = new Promise<never>(() => undefined);

describe("timeLimit()", () => {
  it("aborts after the time on the given clock, with the given reason", async () => {
    const clock = createManualClock();
    using limit = timeLimit(100, { clock, reason: () => new Error("no answer") });
    const raced = assert.rejects(limit.race(never), { message: "no answer" });
    await clock.advance(99);
    assert.equal(limit.signal.aborted, false);
    await clock.advance(1);
    assert.equal(limit.signal.aborted, true);
    await raced;
  });
  it("aborts with the outer signal, and at once when that has aborted before", async () => {
    const clock = createManualClock();
    const outer = new AbortController();
    using limit = timeLimit(100, { clock, signal: outer.signal });
    outer.abort(new Error("stopped"));
    await assert.rejects(limit.race(never), { message: "stopped" });
    using late = timeLimit(100, { clock, signal: outer.signal });
    assert.equal(late.signal.aborted, true);
  });
  it("gives the result of work that ends in time, and leaves no timer", async () => {
    const clock = createManualClock();
    {
      using limit = timeLimit(100, { clock });
      assert.equal(await limit.race(Promise.resolve(7)), 7);
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(clock.sleeping, 0);
  });
  it("names the time in its own reason", async () => {
    const clock = createManualClock();
    using limit = timeLimit(5, { clock });
    await clock.advance(5);
    await assert.rejects(limit.race(never), { kind: "deadline-exceeded", message: "Timed out after 5 ms" });
  });
});
