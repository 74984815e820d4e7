import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { labelNumber } from "./label-number.ts";

describe("labelNumber()", () => {
  const cases: Readonly<Record<string, bigint | undefined>> = {
    "0": 0n,
    "-12": -12n,
    " 10kg ": 10_000n,
    "10 kg": 10_000n,
    "1Ki": 1024n,
    "4 MiB": 4_194_304n,
    "2G": 2_000_000_000n,
    "3pi": 3n * (1n << 50n),
    "9223372036854775807": 9_223_372_036_854_775_807n,
    "9223372036854775808": undefined,
    "1.5": undefined,
    "1-2": undefined,
    "10x": undefined,
    kg: undefined,
    "": undefined,
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(`reads ${JSON.stringify(text)} as ${String(expected)}`, () => assert.equal(labelNumber(text), expected));
  }
});
