import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endsSlab, giveBack, slabBytes, takeSlab } from "./slab-pool.ts";

describe("takeSlab()", () => {
  it("gives a slab again when its last part came back, and only then", () => {
    const slab = takeSlab();
    giveBack(slab.subarray(0, 100));
    assert.notEqual(takeSlab().buffer, slab.buffer);
    giveBack(slab.subarray(100));
    const again = takeSlab();
    assert.equal(again.buffer, slab.buffer);
    assert.equal(again.length, slabBytes);
    assert.notEqual(takeSlab().buffer, slab.buffer, "it is not given to two at once");
  });

  it("does not take buffers of another kind", () => {
    for (const other of [Buffer.allocUnsafeSlow(slabBytes / 2), Buffer.allocUnsafeSlow(slabBytes)]) {
      assert.equal(endsSlab(other), false);
      giveBack(other);
      assert.notEqual(takeSlab().buffer, other.buffer);
    }
  });
});
