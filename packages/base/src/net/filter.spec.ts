import assert from "node:assert/strict";
import { test } from "node:test";
import { filterAddresses } from "./filter.ts";

test("filterAddresses keeps the order of the subnets and drops what is excluded", () => {
  const all = ["10.5.0.2", "192.168.1.1", "fd00::2"];
  assert.deepEqual(filterAddresses(all, []), all);
  assert.deepEqual(filterAddresses(all, ["!10.0.0.0/8"]), ["192.168.1.1", "fd00::2"]);
  assert.deepEqual(filterAddresses(all, ["::/0", "0.0.0.0/0", "10.0.0.0/8", "!192.168.1.1"]), ["fd00::2", "10.5.0.2"]);
});
