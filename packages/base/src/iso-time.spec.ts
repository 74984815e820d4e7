import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isoTime } from "./iso-time.ts";

describe("isoTime()", () => {
  it("gives what Date gives", () => {
    for (const ms of [
      0, 1, 999, 1000, 1_700_000_000_007, 1_700_000_000_070, 1_700_000_001_700, -1, -62_198_755_200_001,
    ]) {
      assert.equal(isoTime(ms), new Date(ms).toISOString());
    }
  });
});
