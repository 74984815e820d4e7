import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFqdn } from "./fqdn.ts";

describe("parseFqdn()", () => {
  it("refuses names the kernel or DNS would refuse", () => {
    assert.throws(() => parseFqdn(".example.org"), { code: "network/bad-hostname" });
    assert.throws(() => parseFqdn("x".repeat(64)), { code: "network/bad-hostname" });
    assert.throws(() => parseFqdn(`a.${"b".repeat(260)}`), { code: "network/bad-hostname" });
  });
});
