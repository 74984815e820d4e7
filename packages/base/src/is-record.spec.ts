import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "./is-record.ts";

test("isRecord tells what has keys from what has not", () => {
  assert.deepEqual([{}, { a: 1 }, [], null, undefined, "a", 1].map(isRecord), [true, true, ...Array(5).fill(false)]);
});
