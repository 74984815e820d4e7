import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bytesOfQuantity } from "./quantity.ts";

describe("bytesOfQuantity()", () => {
  it("reads decimal and binary suffixes and fractions", () => {
    assert.deepEqual(["1000", "2k", "512Mi", "1.5Gi", "0.5"].map(bytesOfQuantity), [
      1000n,
      2000n,
      536_870_912n,
      1_610_612_736n,
      1n,
    ]);
  });
  it("refuses what is no quantity", () => {
    for (const text of ["", "Mi", "5 Mi", "5Xi"])
      assert.throws(() => bytesOfQuantity(text), { code: "k8s/bad-quantity" });
  });
});
