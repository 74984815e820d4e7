import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { comparePrefixes } from "./prefixes.ts";

describe("comparePrefixes()", () => {
  const prefixes = ["fd00::1/64", "10.5.0.2/24", "10.5.0.1/24", "10.5.0.200/32", "10.3.0.1/16"];
  it("v1 goes by address", () => {
    const sorted = ["10.3.0.1/16", "10.5.0.1/24", "10.5.0.2/24", "10.5.0.200/32", "fd00::1/64"];
    assert.deepEqual(prefixes.toSorted(comparePrefixes("v1")), sorted);
  });
  it("v2 puts the narrower prefix first", () => {
    const sorted = ["10.3.0.1/16", "10.5.0.200/32", "10.5.0.1/24", "10.5.0.2/24", "fd00::1/64"];
    assert.deepEqual(prefixes.toSorted(comparePrefixes("v2")), sorted);
  });
});
