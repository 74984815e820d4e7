import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "./random.ts";

test("createRandom gives the same values for the same seed, within their bounds", () => {
  const [one, same, other] = [createRandom(7), createRandom(7), createRandom(8)];
  const numbers = Array.from({ length: 100 }, () => one.below(10));
  assert.deepEqual(
    Array.from({ length: 100 }, () => same.below(10)),
    numbers,
  );
  assert.notDeepEqual(
    Array.from({ length: 100 }, () => other.below(10)),
    numbers,
  );
  assert.deepEqual(
    [...new Set(numbers)].toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.equal(one.bytes(5).length, 5);
  assert.throws(() => one.pick([]), RangeError);
});
