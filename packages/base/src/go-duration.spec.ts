import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatGoDuration, goDurationMs, parseGoDuration } from "./go-duration.ts";

describe("parseGoDuration()", () => {
  it("reads and writes durations as Go does", () => {
    const cases = {
      "90s": "1m30s",
      "1h": "1h0m0s",
      "1.5h": "1h30m0s",
      "500ms": "500ms",
      "1.5s": "1.5s",
      "-1m": "-1m0s",
      "100us": "100µs",
      "3ns": "3ns",
      "0": "0s",
    };
    for (const [text, canonical] of Object.entries(cases))
      assert.equal(formatGoDuration(parseGoDuration(text)), canonical);
    for (const text of ["", "5", "1d", "1h 2m", "abc", "9999999999h"]) assert.throws(() => parseGoDuration(text), text);
    assert.equal(goDurationMs("1m30s"), 90_000);
  });
});
