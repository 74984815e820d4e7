import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { note } from "./conformance/state-fixtures.ts";
import { equalResources, equalSpecs } from "./equal.ts";
import { withMetadata } from "./wrap-core.ts";

describe("equalSpecs()", () => {
  const pairs: readonly (readonly [unknown, unknown, boolean])[] = [
    [1, 1, true],
    [1, "1", false],
    [Number.NaN, Number.NaN, true],
    [undefined, null, false],
    [{ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1 }, { a: 1, b: 0 }, false],
    [{ a: undefined, b: 1 }, { b: 1, c: 2 }, false],
    [[1, 2], [1, 2, 3], false],
    [[], {}, false],
    [new Uint8Array([1, 2]), Buffer.from([1, 2]), true],
    [new Uint8Array([1, 2]), new Uint8Array([1, 3]), false],
    [new Date(5), new Date(5), true],
    [new Map([["a", [1]]]), new Map([["a", [1]]]), true],
    [new Map([["a", 1]]), new Map([["b", 1]]), false],
    [new Set([1, 2]), new Set([2, 1]), true],
    [new Set([1, 2]), new Set([2, 3]), false],
    [10n, 10n, true],
  ];
  for (const [a, b, expected] of pairs) {
    it(`says ${String(expected)} for ${show(a)} and ${show(b)}`, () => {
      assert.equal(equalSpecs(a, b), expected);
      assert.equal(equalSpecs(b, a), expected);
    });
  }
});

describe("equalResources()", () => {
  const one = note("a", { count: 1 }, { labels: { a: "1" }, finalizers: ["x", "y"] });
  it("ignores times and the order of finalizers", () => {
    assert.ok(equalResources(one, withMetadata(one, { created: 5, updated: 6, finalizers: ["y", "x"] })));
  });
  it("sees every other difference", () => {
    assert.ok(!equalResources(one, withMetadata(one, { version: 9 })));
    assert.ok(!equalResources(one, withMetadata(one, { labels: { a: "2" } })));
    assert.ok(!equalResources(one, withMetadata(one, { annotations: { a: "2" } })));
    assert.ok(!equalResources(one, withMetadata(one, { finalizers: ["x", "x"] })));
    assert.ok(!equalResources(one, withMetadata(one, { phase: "tearingDown" })));
    assert.ok(!equalResources(one, note("a", { count: 2 }, { labels: { a: "1" }, finalizers: ["x", "y"] })));
  });
});

function show(value: unknown): string {
  return typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? String(value));
}
