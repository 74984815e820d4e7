import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createAttemptLimit } from "./attempt-limit.ts";

describe("createAttemptLimit()", () => {
  it("blocks after the burst, and forgives with time", async () => {
    const clock = createManualClock();
    const limit = createAttemptLimit({ burst: 3, perSecond: 1, clock });
    assert.deepEqual([limit.fail("a"), limit.fail("a"), limit.isBlocked("a")], [false, false, false]);
    assert.deepEqual([limit.fail("a"), limit.isBlocked("a"), limit.isBlocked("b")], [true, true, false]);
    assert.equal(limit.fail("a"), false);
    await clock.advance(1000);
    assert.deepEqual([limit.isBlocked("a"), limit.fail("a"), limit.isBlocked("a")], [false, true, true]);
    await clock.advance(3000);
    assert.deepEqual([limit.fail("a"), limit.isBlocked("a")], [false, false]);
  });

  it("remembers a bounded number of addresses", () => {
    const limit = createAttemptLimit({ burst: 1, maxAddresses: 2, clock: createManualClock() });
    for (const address of ["a", "b", "c"]) limit.fail(address);
    assert.deepEqual(
      ["a", "b", "c"].map((address) => limit.isBlocked(address)),
      [false, true, true],
    );
  });
});
