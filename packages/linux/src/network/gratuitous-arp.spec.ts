import assert from "node:assert/strict";
import { test } from "node:test";
import { gratuitousArp } from "./gratuitous-arp.ts";

test("gratuitousArp() asks everybody for an address in the name of its owner", () => {
  const frame = gratuitousArp("02:05:0a:4b:00:02", "10.75.0.50").toString("hex");
  const owner = "02050a4b0002";
  const shared = "0a4b0032";
  const expected = ["ffffffffffff", owner, "0806", "0001080006040001", owner, shared, "000000000000", shared];
  assert.equal(frame, expected.join(""));
});
