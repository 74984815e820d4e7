import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "./clock.ts";
import { createDeadlines } from "./deadlines.ts";

describe("createDeadlines()", () => {
  it("tells what is not done in time, once, and nothing else", async () => {
    const clock = createManualClock();
    using deadlines = createDeadlines(clock);
    const expired: string[] = [];
    deadlines.start(60_000, () => expired.push("long"));
    deadlines.start(5000, () => expired.push("short"));
    deadlines.start(5000, () => expired.push("done")).done();
    await clock.advance(4999);
    assert.deepEqual(expired, []);
    await clock.advance(1001);
    assert.deepEqual(expired, ["short"]);
    await clock.advance(60_000);
    assert.deepEqual(expired, ["short", "long"]);
    assert.equal(clock.sleeping, 0, "no timer is left without tasks");
  });

  it("forgets everything when disposed", async () => {
    const clock = createManualClock();
    const deadlines = createDeadlines(clock);
    deadlines.start(1000, () => assert.fail("expired"));
    deadlines[Symbol.dispose]();
    await clock.advance(2000);
    assert.equal(clock.sleeping, 0);
  });

  it("is as exact as its period", async () => {
    const clock = createManualClock();
    using deadlines = createDeadlines(clock, 100);
    let expired = false;
    deadlines.start(250, () => (expired = true));
    await clock.advance(249);
    assert.equal(expired, false);
    await clock.advance(101);
    assert.equal(expired, true);
  });
});
