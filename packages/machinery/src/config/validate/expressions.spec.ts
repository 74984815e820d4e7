import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { loadConfig } from "../load/load.ts";
import { createRandom } from "@talos-ts/base/testing";
import { randomExpression } from "../testing/random-expression.ts";
import type { ExpressionEnvironment } from "./check.ts";
import { loadExpressionChecker } from "./expressions.ts";
import { validateConfig } from "./validate.ts";

const check = await loadExpressionChecker();

/** Blocks of `=== environment`, an expression, and `--- accepted` or `--- refused` with what cel-go says. */
function facts(): readonly (readonly [ExpressionEnvironment, string, string])[] {
  const text = readFileSync(new URL("cel/testdata/cel-go.txt", import.meta.url), "utf8");
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [, about = "", expression = "", said = ""] = /^(.*)\n([^]*?)\n--- \w+\n([^]*)$/.exec(block) ?? [];
      return [about as ExpressionEnvironment, expression, said.trimEnd()];
    });
}

describe("loadExpressionChecker()", () => {
  for (const [about, expression, said] of facts()) {
    test(`says what cel-go says about ${about}: ${JSON.stringify(expression)}`, () => {
      // What was expected is told in addition.
      const ours = (check(expression, about) ?? "").replaceAll(/, expected '.*'$/gm, "");
      assert.equal(ours, said);
    });
  }

  const expectations: readonly (readonly [string, string])[] = [
    ["disk.size > 10", "'(uint, int)', expected '(uint, uint)'"],
    ["disk.transport == 5", "'(string, int)', expected '(string, string)'"],
    ["disk.transport.startsWith(5)", "'string.(int)', expected 'string.(string)'"],
    ["glob('a')", "'(string)', expected '(string, string)'"],
    ["!5", "'(int)', expected '(bool)'"],
    ["disk.size in [1]", "'(uint, list(int))', expected '(uint, list(uint))' or '(uint, map(uint, any))'"],
  ];
  for (const [expression, told] of expectations) {
    test(`tells which types are expected in ${expression}`, () => {
      const [said = ""] = (check(expression, "disk") ?? "").split("\n");
      assert.equal(said.replace(/^.* applied to /, ""), told);
    });
  }

  test("finds broken syntax, with its place", () => {
    assert.match(
      check("disk.size >\n > 1u", "disk") ?? "",
      /^ERROR: <input>:1:11: Syntax error: [^\n]+\n \| disk\.size >\n \| \.{10}\^$/,
    );
    assert.match(check("", "disk") ?? "", /^ERROR: <input>:1:1: Syntax error: /);
  });

  test("accepts the expressions of all example documents", () => {
    const folder = new URL("../documents/testdata/", import.meta.url);
    for (const file of readdirSync(folder).filter((name) => /_(?:full|min)\.yaml$/.test(name))) {
      const config = loadConfig(readFileSync(new URL(file, folder)));
      const { errors } = validateConfig(config, { mode: "metal", checkExpression: check });
      const about = errors.filter(({ message }) => /(?:selector|expression) is invalid/.test(message));
      assert.deepEqual(about, [], file);
    }
  });

  test("neither throws nor hangs, whatever it is given", () => {
    const random = createRandom(17);
    const characters = [
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      ".",
      ",",
      "?",
      ":",
      "'",
      '"',
      "\\",
      "a",
      "x",
      "1",
      "u",
      " ",
      "\n",
      "é",
      "😀",
    ].concat(["&&", "||", "==", "!", "-", "in", "disk", ".exists(", "has(", "b'", "0x", "1e9", "\u0000", "//"]);
    for (let round = 0; round < 1500; round++) {
      const noise = Array.from({ length: random.below(14) }, () => random.pick(characters)).join("");
      const expression = round % 3 === 0 ? noise : randomExpression(random, 4) + (round % 3 === 1 ? "" : noise);
      const said = check(expression, random.pick(["disk", "volume", "link", "oom-trigger", "oom-ranking"]));
      assert.ok(said === undefined || said !== "", expression);
    }
    for (const [open, close] of [
      ["(", ")"],
      ["[", "]"],
      ["f(", ")"],
      ["!(", ")"],
      ["a.b", ""],
      ["1+", ""],
      ["a&&", ""],
      ["[1].all(x,", ")"],
    ] as const) {
      for (const depth of [10, 1000, 9000]) {
        assert.notEqual(check(`${open.repeat(depth)}1${close.repeat(depth)}`, "disk"), undefined);
      }
    }
  });
});
