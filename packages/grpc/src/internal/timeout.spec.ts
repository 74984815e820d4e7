import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeTimeout, encodeTimeout } from "./timeout.ts";

describe("encodeTimeout", () => {
  it("uses the finest unit that fits eight digits and never shortens", () => {
    assert.equal(encodeTimeout(1500), "1500m");
    assert.equal(encodeTimeout(0.2), "1m");
    assert.equal(encodeTimeout(-5), "1n");
    assert.equal(encodeTimeout(1e8), "100000S");
    assert.equal(encodeTimeout(Number.POSITIVE_INFINITY), "99999999H");
    for (const ms of [1, 999.5, 12_345_678, 5e9, 1e12]) assert.ok((decodeTimeout(encodeTimeout(ms)) ?? 0) >= ms);
  });
});

describe("decodeTimeout", () => {
  it("reads every unit", () => {
    const values = ["1H", "2M", "3S", "4m", "5000u", "6000000n"].map(decodeTimeout);
    assert.deepEqual(
      values.map((ms) => Math.round(ms ?? -1)),
      [3_600_000, 120_000, 3000, 4, 5, 6],
    );
  });

  it("rejects what the protocol does not allow", () => {
    for (const text of ["", "5", "S", "123456789S", "-1S", "1.5S", "1s"]) assert.equal(decodeTimeout(text), undefined);
  });
});
