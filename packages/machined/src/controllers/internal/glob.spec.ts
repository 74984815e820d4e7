import assert from "node:assert/strict";
import { test } from "node:test";
import { glob } from "./glob.ts";

test("glob() takes * for any text, and everything else as it is", () => {
  const cases = [
    ["eth*", "eth0", true],
    ["*", "", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["ab*ba", "aba", false],
    ["e.h0", "eth0", false],
    ["eth0", "eth0", true],
    ["00:1a:*", "00:1b:2c", false],
  ] as const;
  for (const [pattern, text, expected] of cases) assert.equal(glob(pattern, text), expected, `${pattern} ${text}`);
});
