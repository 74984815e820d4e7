import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { columns, divide, rows } from "./layout.ts";

describe("divide()", () => {
  it("gives fixed sizes first, and shares all of the rest", () => {
    assert.deepEqual(divide(10, [1, { share: 1 }, 1]), [1, 8, 1]);
    assert.deepEqual(divide(10, [{ share: 1 }, { share: 1 }, { share: 1 }]), [3, 4, 3]);
    assert.deepEqual(divide(3, [2, 2, { share: 1 }]), [2, 1, 0]);
  });
});

describe("rows() and columns()", () => {
  it("put parts side by side", () => {
    const area = { x: 2, y: 3, width: 10, height: 6 };
    assert.deepEqual(rows(area, [2, { share: 1 }]), [
      { x: 2, y: 3, width: 10, height: 2 },
      { x: 2, y: 5, width: 10, height: 4 },
    ]);
    assert.deepEqual(columns(area, [{ share: 1 }, 4]), [
      { x: 2, y: 3, width: 6, height: 6 },
      { x: 8, y: 3, width: 4, height: 6 },
    ]);
  });
});
