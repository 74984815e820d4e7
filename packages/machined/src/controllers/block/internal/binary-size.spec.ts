import assert from "node:assert/strict";
import { test } from "node:test";
import { binarySize } from "./binary-size.ts";

test("binarySize() writes the largest unit, with a decimal below ten", () => {
  const cases = { 0: "0 B", 512: "512 B", 1024: "1.0 KiB", 8_388_608: "8.0 MiB", 12_884_901_888: "12 GiB" };
  for (const [bytes, text] of Object.entries(cases)) assert.equal(binarySize(Number(bytes)), text);
});
