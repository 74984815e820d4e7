import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clockAdjustment } from "./clock-adjustment.ts";

const rest = { leap: "none", rootDistance: 3_000_000n } as const;
const state = { jitter: 500_000, pollSeconds: 64 };

describe("clockAdjustment()", () => {
  it("steps over large offsets, in both directions", () => {
    for (const offset of [129_000_000n, -3_600_000_000_000n]) {
      assert.deepEqual(clockAdjustment({ ...rest, offset }, state), {
        stepNanoseconds: offset,
        status: 0,
        maxErrorMicroseconds: 3000n,
        estimatedErrorMicroseconds: 500n,
      });
    }
  });

  it("slews small offsets, with a time constant for the poll interval and the announced leap second", () => {
    assert.deepEqual(clockAdjustment({ ...rest, leap: "delete", offset: -100_000_000n }, state), {
      offsetNanoseconds: -100_000_000n,
      status: 0x21,
      timeConstant: 2n,
      maxErrorMicroseconds: 3000n,
      estimatedErrorMicroseconds: 500n,
    });
  });
});
