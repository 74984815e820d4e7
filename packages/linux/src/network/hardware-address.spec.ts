import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeMac, encodeMac } from "./hardware-address.ts";

test("encodeMac refuses what is no hardware address, and decodeMac reverses it", () => {
  assert.throws(() => encodeMac("02:00:00"), { code: "network/bad-hardware-address" });
  assert.equal(decodeMac(encodeMac("02:05:0A:00:00:01")), "02:05:0a:00:00:01");
});
