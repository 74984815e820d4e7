import assert from "node:assert/strict";
import { test } from "node:test";
import { partitionSizes } from "./volumes.ts";

const mib = 1024 ** 2;
const none = { minSize: 100 * mib, maxSize: 0, relativeMaxSize: 0, negativeMaxSize: false };

test("partitionSizes() reads sizes, shares, and what is to be left free", () => {
  assert.deepEqual(partitionSizes({}), none);
  assert.deepEqual(partitionSizes({ minSize: "1GiB", maxSize: "2GiB" }), {
    ...none,
    minSize: 1024 * mib,
    maxSize: 2048 * mib,
  });
  assert.deepEqual(partitionSizes({ maxSize: "50%" }), { ...none, relativeMaxSize: 50 });
  assert.deepEqual(partitionSizes({ maxSize: "-25%" }), { ...none, relativeMaxSize: 25, negativeMaxSize: true });
  assert.deepEqual(partitionSizes({ maxSize: "-10MiB" }), { ...none, maxSize: 10 * mib, negativeMaxSize: true });
});
