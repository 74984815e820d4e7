import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeIp, encodeIp } from "./ip.ts";

describe("encodeIp() and decodeIp()", () => {
  const canonical: Readonly<Record<string, string>> = {
    "10.5.0.2": "10.5.0.2",
    "::": "::",
    "::1": "::1",
    "fd00::": "fd00::",
    "FD00:0:0:1:0:0:0:2": "fd00:0:0:1::2",
    "2001:db8:1:1:1:1:0:1": "2001:db8:1:1:1:1:0:1",
    "::ffff:10.0.0.1": "::ffff:a00:1",
    "1::8": "1::8",
  };
  for (const [text, expected] of Object.entries(canonical)) {
    it(`read ${text} as ${expected}`, () => assert.equal(decodeIp(encodeIp(text)), expected));
  }
  it("refuse what is not an address", () => {
    for (const text of ["", "localhost", "10.0.0", "fe80::1%eth0", "1::2::3"]) {
      assert.throws(() => encodeIp(text), { code: "crypto/bad-name" });
    }
    assert.equal(decodeIp(Buffer.alloc(5)), undefined);
  });
});
