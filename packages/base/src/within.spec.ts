import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "./clock.ts";
import { within } from "./within.ts";

describe("within()", () => {
  it("gives the value of work that is in time, and leaves no timer", async () => {
    const clock = createManualClock();
    assert.deepEqual(await within(Promise.resolve(1), 1000, clock), { late: false, value: 1 });
    assert.equal(clock.sleeping, 0);
  });
  it("throws what work in time threw", async () => {
    const clock = createManualClock();
    await assert.rejects(within(Promise.reject(new Error("no")), 1000, clock), { message: "no" });
    assert.equal(clock.sleeping, 0);
  });
  it("says so when work is late", async () => {
    const clock = createManualClock();
    const waiting = within(new Promise(() => undefined), 1000, clock);
    await clock.advance(1000);
    assert.deepEqual(await waiting, { late: true });
  });
});
