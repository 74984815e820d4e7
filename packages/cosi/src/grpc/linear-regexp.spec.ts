import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileLinear, expressionSource } from "./linear-regexp.ts";

describe("compileLinear()", () => {
  const cases: readonly (readonly [source: string, text: string, matches: boolean])[] = [
    ["^idquery/.+[2-4]$", "idquery/path3", true],
    ["^idquery/.+[2-4]$", "idquery/path5", false],
    ["\\Afoo\\z", "foo", true],
    ["\\Afoo\\z", "foo2", false],
    ["(?i)^Eth[a-c]$", "eTHB", true],
    ["(?i)^Eth[a-c]$", "eTHD", false],
    ["(?s)a.b", "a\nb", true],
    ["^[[:alpha:]]+[[:digit:]]$", "eth0", true],
    ["^[[:alpha:]]+[[:digit:]]$", "eth", false],
    ["^(?P<name>a|b)+$", "abba", true],
    ["a\\.b", "a.b", true],
    ["[\\]x]", "]", true],
    ["\\bnode\\b", "the node 1", true],
    ["ü", "für", true],
  ];
  for (const [source, text, matches] of cases) {
    it(`${source} ${matches ? "matches" : "does not match"} ${JSON.stringify(text)}`, () => {
      assert.equal(text.search(compileLinear(source)) !== -1, matches);
    });
  }

  it("answers hostile expressions in linear time", () => {
    assert.equal(compileLinear("^(a+)+$").test(`${"a".repeat(50_000)}!`), false);
  });

  it("refuses an expression of more than 1024 characters before it looks at it", () => {
    compileLinear("a".repeat(1024));
    assert.throws(() => compileLinear("a".repeat(400_000)), {
      code: "cosi/bad-expression",
      message: "failed to compile regexp: expression of 400000 characters, at most 1024 are allowed",
    });
  });

  it("refuses what cannot run in linear time or is no expression", () => {
    for (const source of ["(a", "(a)\\1", "a(?=b)", "(?i"]) {
      assert.throws(() => compileLinear(source), { code: "cosi/bad-expression", kind: "invalid-argument" });
    }
  });
});

describe("expressionSource()", () => {
  it("keeps the flags both sides know", () => {
    assert.equal(expressionSource(/a\/b/), "a\\/b");
    assert.equal(expressionSource(/a.b/gis), "(?is)a.b");
    assert.match("xA\nB", compileLinear(expressionSource(/a.b/gis)));
  });
});
