import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { denyArguments, mergeArguments, renderArguments } from "./arguments.ts";

describe("mergeArguments()", () => {
  it("lets the configuration win unless a policy says otherwise", () => {
    const base = { v: ["1"], "feature-gates": ["A=true,B=true"] };
    const extra = { v: ["4"], x: ["a", "b"], "feature-gates": ["B=true, C=true"] };
    assert.deepEqual(mergeArguments(base, extra, { "feature-gates": "additive" }), {
      v: ["4"],
      x: ["a", "b"],
      "feature-gates": ["A=true,B=true,C=true"],
    });
    assert.deepEqual(mergeArguments(base, { "feature-gates": ["C=true"] })["feature-gates"], ["C=true"]);
  });
  it("T-44: refuses flags that the machine must choose, by name", () => {
    assert.throws(() => mergeArguments({ name: ["n"] }, { name: ["other"] }, denyArguments(["name"])), {
      code: "arguments/denied",
      message: 'extra arg "name" is not allowed',
    });
  });
});

describe("renderArguments()", () => {
  it("sorts by flag and repeats a flag with several values", () => {
    assert.deepEqual(renderArguments({ b: ["2"], a: ["x", "y"] }), ["--a=x", "--a=y", "--b=2"]);
  });
});
