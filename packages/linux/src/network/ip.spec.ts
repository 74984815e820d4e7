import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeIp, encodeIp, encodeMac, maskPrefix, parsePrefix } from "./ip.ts";

describe("decodeIp()", () => {
  for (const [written, canonical] of [
    ["10.5.0.2", "10.5.0.2"],
    ["::", "::"],
    ["::1", "::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["::ffff:1.2.3.4", "::ffff:102:304"],
    ["1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:0"],
  ] as const) {
    it(`gives "${canonical}" for "${written}"`, () => assert.equal(decodeIp(encodeIp(written)), canonical));
  }
});

describe("parsePrefix()", () => {
  it("takes a bare address as a host", () => assert.deepEqual(parsePrefix("::1"), { address: "::1", length: 128 }));
  for (const wrong of ["10.0.0.0/33", "10.0.0.0/x", "no", "", "fd00::/129"]) {
    it(`refuses "${wrong}"`, () => assert.throws(() => parsePrefix(wrong), { code: "network/bad-address" }));
  }
});

describe("maskPrefix()", () => {
  it("clears host bits", () => {
    assert.equal(maskPrefix("10.5.7.9/20"), "10.5.0.0/20");
    assert.equal(maskPrefix("fd00:1:2:3::9/60"), "fd00:1:2::/60");
    assert.equal(maskPrefix("1.2.3.4/0"), "0.0.0.0/0");
  });
});

describe("encodeMac()", () => {
  it("refuses what is no hardware address", () => {
    assert.throws(() => encodeMac("02:00:00"), { code: "network/bad-hardware-address" });
  });
});
