import assert from "node:assert/strict";
import { test } from "node:test";
import { hostPort } from "./host-port.ts";

test("hostPort puts IPv6 addresses in brackets, zones and all", () => {
  assert.deepEqual(
    [hostPort("10.0.0.1", 1), hostPort("::1", 2), hostPort("a.b", 3), hostPort("fe80::1%eth0", 4)],
    ["10.0.0.1:1", "[::1]:2", "a.b:3", "[fe80::1%eth0]:4"],
  );
});
