import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  addressOf,
  broadcastAddress,
  isPrefix,
  isPrefixOrAddress,
  maskPrefix,
  nthAddress,
  parsePrefix,
  prefixContains,
  prefixesOverlap,
} from "./prefix.ts";

describe("parsePrefix()", () => {
  it("keeps host bits", () => assert.deepEqual(parsePrefix("10.5.0.2/24"), { address: "10.5.0.2", length: 24 }));
  it("takes a bare address as a host", () => assert.deepEqual(parsePrefix("::1"), { address: "::1", length: 128 }));
  for (const wrong of ["10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/", "no", "", "fd00::/129"]) {
    it(`refuses "${wrong}"`, () => assert.throws(() => parsePrefix(wrong), { code: "network/bad-address" }));
  }
});

describe("isPrefix()", () => {
  it("needs a length that the family allows", () => {
    assert.ok(isPrefix("10.0.0.0/8") && isPrefix("fd00::/128"));
    for (const other of ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/8/8", "/8"]) assert.ok(!isPrefix(other), other);
    assert.ok(isPrefixOrAddress("10.0.0.0") && !isPrefixOrAddress("x"));
  });
});

describe("addressOf()", () => {
  it("drops the length", () => {
    assert.equal(addressOf("10.5.0.2/24"), "10.5.0.2");
    assert.equal(addressOf("::1"), "::1");
  });
});

describe("maskPrefix()", () => {
  it("clears host bits", () => {
    assert.equal(maskPrefix("10.5.7.9/20"), "10.5.0.0/20");
    assert.equal(maskPrefix("fd00:1:2:3::9/60"), "fd00:1:2::/60");
    assert.equal(maskPrefix("1.2.3.4/0"), "0.0.0.0/0");
  });
});

describe("prefixContains()", () => {
  it("never mixes families", () => {
    assert.ok(prefixContains("10.96.0.0/12", "10.111.1.1"));
    assert.ok(!prefixContains("10.96.0.0/12", "10.112.0.0"));
    assert.ok(!prefixContains("::/0", "10.0.0.1"));
    assert.ok(prefixContains("fd00::/8", "fdff::1/64"));
  });
});

describe("prefixesOverlap()", () => {
  it("is symmetric and looks at networks, not at hosts", () => {
    for (const [a, b, expected] of [
      ["10.5.0.0/24", "10.5.0.9/16", true],
      ["10.5.0.0/24", "10.5.1.0/24", false],
      ["10.5.0.0/24", "0.0.0.0/0", true],
      ["::/0", "0.0.0.0/0", false],
    ] as const) {
      assert.equal(prefixesOverlap(a, b), expected, `${a} ${b}`);
      assert.equal(prefixesOverlap(b, a), expected, `${b} ${a}`);
    }
  });
});

describe("nthAddress()", () => {
  it("counts from the network address, over bytes", () => {
    assert.equal(nthAddress("10.96.0.0/12", 1), "10.96.0.1");
    assert.equal(nthAddress("10.97.3.4/12", 10), "10.96.0.10");
    assert.equal(nthAddress("10.0.0.255/25", 130), "10.0.1.2");
    assert.equal(nthAddress("fc00:db8:20::/112", 1), "fc00:db8:20::1");
  });
});

describe("broadcastAddress()", () => {
  it("exists for IPv4 networks of more than two addresses", () => {
    assert.equal(broadcastAddress("10.5.0.2/24"), "10.5.0.255");
    assert.equal(broadcastAddress("10.5.7.9/20"), "10.5.15.255");
    for (const none of ["10.5.0.2/31", "10.5.0.2/32", "fd00::/64"]) assert.equal(broadcastAddress(none), undefined);
  });
});
