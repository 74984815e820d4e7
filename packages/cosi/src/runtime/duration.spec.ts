import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatDuration } from "./duration.ts";

describe("formatDuration()", () => {
  it("uses the largest units that fit", () => {
    assert.deepEqual([0, 0.25, 483.1234, 1000, 1500, 60_500, 3_600_000].map(formatDuration), [
      "0ms",
      "0.25ms",
      "483.123ms",
      "1s",
      "1.5s",
      "1m0.5s",
      "1h0m0s",
    ]);
  });
});
