import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { batches, selectTests } from "./selection.ts";

describe("selectTests()", () => {
  const names = ["[sig-storage] a [Conformance]", "[sig-scheduling] b [Serial] [Conformance]", "[sig-network] c"];
  it("leaves out what needs the cluster for itself, and says so", () => {
    const { selected, left } = selectTests(names);
    assert.deepEqual(selected, ["[sig-storage] a [Conformance]", "[sig-network] c"]);
    assert.deepEqual([...left.values()], ["needs the cluster for itself, for minutes"]);
  });
  it("looks only at what the focus matches", () => {
    assert.deepEqual(selectTests(names, /sig-network/).selected, ["[sig-network] c"]);
  });
});

describe("batches()", () => {
  it("keeps order and loses nothing", () => {
    assert.deepEqual(batches([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
    assert.deepEqual(batches([], 2), []);
  });
});
