import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { createRandom } from "@talos-ts/base/testing";
import { emit, type Tree } from "./emit.ts";
import { resolveScalar } from "./resolve-scalar.ts";

describe("resolveScalar()", () => {
  /** Values that go-yaml gives to plain scalars. */
  const cases: readonly (readonly [string, unknown])[] = [
    ["0644", 420],
    ["0o644", 420],
    ["0x1F", 31],
    ["-0x1f", -31],
    ["0b11", 3],
    ["0899", 899],
    ["1_000", 1000],
    ["_1", "_1"],
    ["+12", 12],
    ["1e3", 1000],
    [".5", 0.5],
    ["5.", 5],
    ["1:30", "1:30"],
    ["1.2.3", "1.2.3"],
    ["1e400", "1e400"],
    ["yes", "yes"],
    ["on", "on"],
    ["n", "n"],
    ["TRUE", true],
    ["True", true],
    ["tRUE", "tRUE"],
    ["~", null],
    ["Null", null],
    ["", null],
    [".inf", Number.POSITIVE_INFINITY],
    ["-.Inf", Number.NEGATIVE_INFINITY],
    ["9223372036854775808", 9_223_372_036_854_775_808n],
    ["=", "="],
  ];
  for (const [text, value] of cases) {
    test(`reads ${JSON.stringify(text)} as go-yaml does`, () => {
      assert.deepEqual(resolveScalar(text), value);
    });
  }
});

describe("emit()", () => {
  /** The writing go-yaml chooses for a string. */
  const strings: readonly (readonly [string, string])[] = [
    ["", '""'],
    ["plain", "plain"],
    ["yes", '"yes"'],
    ["y", '"y"'],
    ["0644", '"0644"'],
    ["1:30", '"1:30"'],
    ["2001-01-01", '"2001-01-01"'],
    ["a: b", "'a: b'"],
    ["a:", "'a:'"],
    ["a:b", "a:b"],
    ["a #b", "'a #b'"],
    ["- a", "'- a'"],
    ["-a", "-a"],
    ["?a", "?a"],
    ["[a", "'[a'"],
    ["a,b", "a,b"],
    ["*a", "'*a'"],
    [" a", "' a'"],
    ["a\tb", '"a\\tb"'],
    ["it's", "it's"],
    ["'a", "'''a'"],
    ["---", "'---'"],
    ["a\\b", "a\\b"],
    ["\n", '"\\n"'],
    ["a \nb", '"a \\nb"'],
    ["a\u0000b", '"a\\0b"'],
    ["a\u0085b", '"a\\Nb"'],
    ["😀", '"\\U0001F600"'],
    ["é", "é"],
  ];
  for (const [text, written] of strings) {
    test(`writes ${JSON.stringify(text)} as ${written}`, () => {
      assert.equal(emit({ entries: [{ key: "k", value: text }] }), `k: ${written}\n`);
    });
  }

  test("writes text of several lines as a literal block", () => {
    const tree: Tree = {
      entries: [
        { key: "k", value: "a\nb\n" },
        { key: "l", value: ["c\n\nd", "e\n\n"] },
      ],
    };
    assert.equal(emit(tree), "k: |\n    a\n    b\nl:\n    - |-\n      c\n\n      d\n    - |+\n      e\n\n");
  });

  test("puts children at the next multiple of four, also inside lists", () => {
    const inner: Tree = {
      entries: [
        { key: "x", value: 1 },
        { key: "deep", value: { entries: [{ key: "z", value: [true] }] } },
      ],
    };
    const tree: Tree = { entries: [{ key: "list", value: [inner, ["a", ["b"]]] }] };
    const text = [
      "list:",
      "    - x: 1",
      "      deep:",
      "        z:",
      "            - true",
      "    - - a",
      "      - - b",
      "",
    ];
    assert.equal(emit(tree), text.join("\n"));
  });

  test("is read back as what was written, for any text", () => {
    const random = createRandom(7);
    const parts = [
      "a",
      " ",
      "\n",
      ":",
      "#",
      "-",
      "'",
      '"',
      "1",
      "é",
      "\t",
      "[",
      "{",
      ",",
      "true",
      "|",
      "?",
      "\\",
      "%",
      "😀",
      "\r",
    ];
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: random.below(8) }, () => random.pick(parts)).join("");
      const tree: Tree = {
        entries: [
          { key: "k", value: text },
          { key: "l", value: [text, { entries: [{ key: text, value: [text] }] }] },
        ],
      };
      const back: unknown = parse(emit(tree), { schema: "failsafe" });
      assert.deepEqual(back, { k: text, l: [text, { [text]: [text] }] }, JSON.stringify(text));
    }
  });
});
