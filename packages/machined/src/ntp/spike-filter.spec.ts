import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSpikeFilter } from "./spike-filter.ts";

const sample = (milliseconds: number, delay = 1) => ({
  offset: BigInt(Math.round(milliseconds * 1e6)),
  delay: BigInt(delay) * 1_000_000n,
});

describe("createSpikeFilter()", () => {
  it("holds back one outlier, and believes the second in a row", () => {
    const filter = createSpikeFilter();
    for (const offset of [1, 2, 1.5, 2]) assert.equal(filter.isSpike(sample(offset)), false);
    assert.equal(filter.isSpike(sample(150)), true);
    assert.equal(filter.isSpike(sample(2)), false, "back to normal");
    assert.equal(filter.isSpike(sample(150)), true);
    assert.equal(filter.isSpike(sample(151)), false, "the clock did change");
  });

  it("believes the first samples, and those after a step", () => {
    const filter = createSpikeFilter();
    assert.equal(filter.isSpike(sample(3_600_000)), false);
    assert.equal(filter.isSpike(sample(1)), false);
    filter.reset();
    assert.equal(filter.jitter, 0);
    assert.equal(filter.isSpike(sample(-500)), false);
  });

  it("takes no distance for a spike that the delay of the answer explains", () => {
    const filter = createSpikeFilter();
    for (const offset of [1, 2, 1]) filter.isSpike(sample(offset));
    assert.equal(filter.isSpike(sample(50, 120)), false);
  });
});
