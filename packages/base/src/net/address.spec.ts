import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  addressBytes,
  canonicalAddress,
  compareAddresses,
  formatAddress,
  isIPv6,
  isMulticast,
  isSideroLink,
  rangeOf,
  unmapAddress,
} from "./address.ts";

describe("canonicalAddress()", () => {
  for (const [written, canonical] of [
    ["10.5.0.2", "10.5.0.2"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::8", "1::8"],
    ["fd00::", "fd00::"],
    ["fe80::1%eth0", "fe80::1"],
    ["FD00:0:0:1:0:0:0:2", "fd00:0:0:1::2"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:1:1:1:1:0:1", "2001:db8:1:1:1:1:0:1"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:0"],
    ["::ffff:a00:1", "::ffff:10.0.0.1"],
    ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
  ] as const) {
    it(`gives ${canonical} for ${written}`, () => assert.equal(canonicalAddress(written), canonical));
  }
  for (const wrong of ["", "localhost", "10.0.0", "0x7f.1", "10.0.0.1%eth0", "1::2::3", "10.0.0.0/8"]) {
    it(`refuses "${wrong}"`, () => assert.throws(() => canonicalAddress(wrong), { code: "network/bad-address" }));
  }
});

describe("formatAddress()", () => {
  it("reverses addressBytes()", () => {
    assert.deepEqual([...addressBytes("10.0.0.1")], [10, 0, 0, 1]);
    assert.equal(formatAddress(addressBytes("fd00::1")), "fd00::1");
  });
  it("refuses other lengths", () => {
    assert.throws(() => formatAddress(Buffer.alloc(5)), { message: "Cannot read 5 bytes as an IP address" });
  });
});

describe("unmapAddress()", () => {
  it("gives the IPv4 address of a mapped one, and no other", () => {
    assert.equal(unmapAddress("::ffff:10.0.0.1"), "10.0.0.1");
    assert.equal(unmapAddress("FE80::1%eth0"), "fe80::1");
    assert.equal(unmapAddress("10.0.0.1"), "10.0.0.1");
  });
});

describe("compareAddresses()", () => {
  it("puts IPv4 first, then counts", () => {
    const sorted = ["::1", "10.0.0.10", "10.0.0.9", "fd00::1", "9.255.0.0"].toSorted(compareAddresses);
    assert.deepEqual(sorted, ["9.255.0.0", "10.0.0.9", "10.0.0.10", "::1", "fd00::1"]);
  });
});

describe("isIPv6()", () => {
  it("takes addresses and prefixes", () => {
    assert.ok(isIPv6("fd00::1/64") && isIPv6("::1"));
    assert.ok(!isIPv6("10.0.0.1/8") && !isIPv6("a.example"));
  });
});

describe("rangeOf()", () => {
  it("names special-purpose ranges", () => {
    assert.equal(rangeOf("127.0.0.1"), "loopback");
    assert.equal(rangeOf("fe80::1"), "linkLocal");
    assert.ok(isMulticast("ff02::1") && isMulticast("224.0.0.1") && !isMulticast("10.0.0.1"));
  });
});

describe("isSideroLink()", () => {
  it("looks at the eighth byte of unique local IPv6 addresses", () => {
    assert.ok(isSideroLink("fdae:41e4:649b:9303::1"));
    assert.ok(isSideroLink("fdae:41e4:649b:9303::1%siderolink"));
    for (const other of ["fdae:41e4:649b:9302::1", "fc00:0:0:3::1", "10.0.0.3", "a.example"])
      assert.ok(!isSideroLink(other));
  });
});
